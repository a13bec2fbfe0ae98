import { useEffect, useState } from 'react'
import { askField } from '../../api/field-client.ts'
import { findPlot, labelCode } from '../../field-store/labels.ts'
import { fieldPath, go, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { Notice, Page, Touch } from './parts.tsx'
import { placeKey } from './use-place.ts'

/** A scanned label: its plot on this phone, else its trial on the server for who may see it. */
export function LabelPage({ code }: { code: string }) {
  const { packages } = useFieldState()
  const [found, setFound] = useState<{ experimento: string; numero: number } | 'nothing' | null>(null)
  useEffect(() => {
    const wanted = labelCode(code)
    const find = async () => {
      const here = findPlot(packages, code, null)
      if (here) {
        const { pacote, pessoa, experimento } = here.package
        const parcela = pacote.parcelas[here.plot]?.id
        await field.put(placeKey({ pessoa, experimento }), { parcela, variavel: null })
        return go(trialPath(experimento, 'coleta'), { replace: true })
      }
      const answer = await field.ask((token) =>
        askField('fieldLabel', { params: { codigo: wanted } }, { token, organization: null }, () => true),
      )
      setFound(answer.kind === 'ok' ? answer.body : 'nothing')
    }
    void find()
  }, [code, packages])
  return (
    <Page title="Etiqueta" back={{ to: fieldPath, label: 'Campo' }}>
      {found === null && <p>Procurando a parcela…</p>}
      {found === 'nothing' && (
        <Notice tone="warn">
          Esta etiqueta não é de um ensaio deste aparelho, nem de um que você pode ver.
        </Notice>
      )}
      {found !== null && found !== 'nothing' && (
        <>
          <p className="figures">Parcela {found.numero} de um ensaio que ainda não está neste aparelho.</p>
          <Touch variant="primary" onClick={() => go(trialPath(found.experimento))}>
            Levar para o campo
          </Touch>
        </>
      )}
    </Page>
  )
}
