import { type Import, templateKeys } from '@ensaio/domain'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.tsx'

/** Mapping, form and constants under a name, for the organisation. */
export function SaveTemplate({ importacao, onClose }: { importacao: Import; onClose: () => void }) {
  const [nome, setNome] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const keys = templateKeys(importacao.mapa)
  const save = async () => {
    setBusy(true)
    try {
      await call('createImportTemplate', {
        body: {
          nome,
          forma: importacao.forma ?? 'longa',
          mapa: Object.fromEntries(importacao.mapa.map(({ campo }, at) => [keys[at] ?? '', campo])),
          padroes: importacao.padroes,
        },
      })
      toast.success('Modelo salvo: os mesmos títulos o escolherão da próxima vez')
      onClose()
    } catch (error) {
      setFailure(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title="Salvar como modelo de planilha"
      onClose={onClose}
      footer={
        <Button variant="primary" busy={busy} onClick={() => void save()}>
          Salvar modelo
        </Button>
      }
    >
      <Field label="Nome do modelo" error={failure ?? undefined} required>
        {(control) => (
          <Input {...control} value={nome} maxLength={60} onChange={(event) => setNome(event.target.value)} />
        )}
      </Field>
    </Dialog>
  )
}
