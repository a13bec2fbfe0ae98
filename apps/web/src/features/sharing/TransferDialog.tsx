import { counted, type ExperimentFilter } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

export type TransferTarget = { experimentos: string[] } | { filtro: ExperimentFilter }
const FORM = 'transferir'

/** Offers trials to another organisation, which owns them once one of its owners accepts. */
export function TransferDialog({ target, onClose }: { target: TransferTarget; onClose: () => void }) {
  const [code, setCode] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const query = { ...('filtro' in target ? target.filtro : {}), origem: 'proprios', limit: 1 }
  const under = useEndpoint('listExperiments', { query }, { enabled: 'filtro' in target })
  const n = 'filtro' in target ? under.data?.total : target.experimentos.length
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      await call('offerTransfer', { body: { ...target, para: { codigo: code } } })
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'listTransfers' })
      toast.success('Transferência oferecida. Ela vale quando um dono da outra organização aceitar.')
      onClose()
    } catch (error) {
      setProblems(problemsOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Transferir experimentos"
      description="A outra organização passa a ser dona deles; a oferta vale por 14 dias."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" form={FORM} variant="primary" busy={busy}>
            Oferecer
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={submit} className="flex flex-col gap-5">
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <Banner
          tone="warn"
          title={n === undefined ? 'Experimentos' : counted(n, 'experimento', 'experimentos')}
        >
          Histórico, comentários e documentos vão junto. Os compartilhamentos, links e coleções daqui deixam
          de incluí-los, e esta organização deixa de vê-los.
        </Banner>
        <Field
          label="Código da organização"
          required
          error={problems['para.codigo'] ?? problems['para'] ?? problems['experimentos']}
        >
          {(control) => (
            <Input
              {...control}
              name="codigo"
              autoComplete="off"
              placeholder="XXXX-XXXX-XXXX"
              value={code}
              onChange={({ target: input }) => setCode(input.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
