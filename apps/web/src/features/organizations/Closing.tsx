import { formatDate, type Organization } from '@ensaio/domain'
import { useState } from 'react'
import { call, open, reasonOf } from '../../api/client.ts'
import { destroyedAt } from '../../shell/ClosedNotice.tsx'
import { useActingFor } from '../../shell/organization.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { Input, PasswordInput } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const EXPORT_MS = 30 * 60_000

/** Taking everything along, and the end of an organisation. */
export function Closing({ organization }: { organization: Organization }) {
  const { id, nome, fecha_em, tipo } = organization
  const { refresh } = useActingFor()
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState<'export' | 'close' | null>(null)
  const closed = fecha_em !== null

  const take = async () => {
    setBusy('export')
    try {
      const response = await open('exportOrganization', { params: { id } }, { timeoutMs: EXPORT_MS })
      downloadBlob('organizacao.zip', await response.blob())
    } catch (error) {
      toast.error('Erro ao exportar a organização', reasonOf(error))
    }
    setBusy(null)
  }
  const leave = () => {
    setAsking(false)
    setTyped('')
    setPassword('')
    setProblems({})
  }
  const confirm = async () => {
    setBusy('close')
    setProblems({})
    try {
      const input = { params: { id }, body: { nome: typed, currentPassword: password } }
      await (closed ? call('reopenOrganization', input) : call('closeOrganization', input))
      await refresh()
      toast.success(closed ? 'Organização reaberta' : 'Organização fechada')
      leave()
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(null)
  }
  return (
    <Card>
      <CardHeader
        title="Levar tudo ou fechar"
        subtitle="O arquivo traz os experimentos em JSON e em planilha, e os documentos."
      />
      <div className="flex flex-wrap gap-2 px-5 pb-5">
        <Button busy={busy === 'export'} onClick={take}>
          Exportar tudo
        </Button>
        {tipo !== 'pessoal' && (
          <Button variant="quiet" className={closed ? '' : '!text-danger'} onClick={() => setAsking(true)}>
            {closed ? 'Reabrir organização' : 'Fechar organização'}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        title={closed ? 'Reabrir a organização?' : 'Fechar a organização?'}
        message={
          closed
            ? `Sem isto ela é excluída em ${formatDate(destroyedAt(fecha_em))}. Os compartilhamentos e links que ela tinha não voltam.`
            : 'Ela passa agora a ser só de leitura, e os compartilhamentos, links e convites se encerram. Em 30 dias tudo é destruído; até lá um dono pode reabri-la.'
        }
        confirmLabel={closed ? 'Reabrir' : 'Fechar organização'}
        busy={busy === 'close'}
        onCancel={leave}
        onConfirm={confirm}
      >
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <Field label={`Escreva o nome: ${nome}`} error={problems['nome']}>
          {(control) => (
            <Input
              {...control}
              name="nomeDaOrganizacao"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <Field label="Sua senha" error={problems['currentPassword']}>
          {(control) => (
            <PasswordInput
              {...control}
              name="senhaAtual"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
    </Card>
  )
}
