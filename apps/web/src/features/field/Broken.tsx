import { entries as counted } from '@ensaio/domain'
import { useEffect, useState } from 'react'
import type { OwnEntry } from '../../field-store/database.ts'
import { field } from './field.ts'
import { Notice, Page, Touch } from './parts.tsx'
import { saveCopy } from './save-copy.ts'

/** The store cannot be opened: nothing is made over it, and what the second one has can be taken out. */
export function Broken() {
  const [entries, setEntries] = useState<OwnEntry[] | null>(null)
  useEffect(() => {
    void field.entries().then(setEntries, () => setEntries([]))
  }, [])
  return (
    <Page title="O armazenamento não abriu">
      <Notice tone="danger">
        Os dados deste aparelho não puderam ser lidos agora. Nada foi apagado nem escrito por cima. Feche as
        outras abas do Ensaio e abra de novo.
      </Notice>
      <p>
        {entries === null
          ? 'Lendo a segunda cópia…'
          : `${counted(entries.length)} ${entries.length === 1 ? 'foi lido' : 'foram lidos'} da segunda cópia.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Touch variant="primary" disabled={!entries?.length} onClick={() => void saveCopy(entries ?? [])}>
          Salvar cópia
        </Touch>
        <Touch onClick={() => location.reload()}>Tentar de novo</Touch>
      </div>
    </Page>
  )
}
