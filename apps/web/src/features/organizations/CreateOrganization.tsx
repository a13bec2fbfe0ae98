import type { OrganizationType } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useActingFor, useSwitchOrganization } from '../../shell/organization.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { NameAndType } from './NameAndType.tsx'

/** A new organisation, of which the person is the owner and for which they act from then on. */
export function CreateOrganization({ onClose }: { onClose: () => void }) {
  const { refresh } = useActingFor()
  const switchTo = useSwitchOrganization()
  const [nome, setNome] = useState('')
  const [tipo, setTipo] = useState<OrganizationType>('consultoria')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      const { organizacao } = await call('createOrganization', { body: { nome, tipo } })
      await refresh()
      onClose()
      toast.success('Organização criada')
      await switchTo(organizacao.id)
    } catch (error) {
      setProblems(problemsOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Criar organização"
      description="Ela começa vazia e só você faz parte dela; depois você convida os outros."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" form="criar-organizacao" variant="primary" busy={busy}>
            Criar
          </Button>
        </>
      }
    >
      <form id="criar-organizacao" noValidate onSubmit={submit} className="flex flex-col gap-4">
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <NameAndType
          nome={nome}
          tipo={tipo}
          problem={problems['nome']}
          onChange={(change) => {
            if (change.nome !== undefined) setNome(change.nome)
            if (change.tipo !== undefined) setTipo(change.tipo)
          }}
        />
      </form>
    </Dialog>
  )
}
