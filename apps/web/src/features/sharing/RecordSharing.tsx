import { dayInBrasilia, EMBARGO_YEARS, type Experiment, formatDay } from '@ensaio/domain'
import { Share2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { useActingFor } from '../../shell/organization.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { Comments } from './Comments.tsx'
import { Links } from './Links.tsx'

/** What others see of one trial, until when nobody does, and what is said of it. */
export function RecordSharing({ experiment }: { experiment: Experiment }) {
  const { several } = useActingFor()
  const source = useSource()
  const actions = useExperimentActions()
  if (source.name === 'demo') return null
  const own = experiment.relacao === 'propria'
  const share = actions.may('experiment.share', experiment)
  return (
    <>
      {own && (
        <section className="no-print" aria-labelledby="quem-ve">
          <h3 id="quem-ve" className="mb-3 font-semibold">
            Quem mais vê
          </h3>
          <div className="flex flex-col gap-3">
            {several && (
              <div>
                <Button
                  size="small"
                  icon={<Share2 aria-hidden className="size-4" />}
                  disabled={!share.allowed}
                  title={share.allowed ? undefined : share.reason}
                  onClick={() => actions.share({ kind: 'experiment', experiment })}
                >
                  Compartilhar
                </Button>
              </div>
            )}
            <Embargo experiment={experiment} />
            {share.allowed ? (
              <Links experiment={experiment} />
            ) : (
              <p className="text-small text-muted">Links públicos: {share.reason}.</p>
            )}
          </div>
        </section>
      )}
      <Comments experiment={experiment} />
    </>
  )
}

/** Until the day before, its own organisation alone sees it, whatever is shared or linked. */
function Embargo({ experiment }: { experiment: Experiment }) {
  const { id, embargo_ate } = experiment
  const may = useExperimentActions().may('experiment.embargo', experiment)
  const [day, setDay] = useState(embargo_ate ?? '')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const save = async (ate: string | null) => {
    setBusy(true)
    setProblems({})
    try {
      await call('setEmbargo', { params: { id }, body: { ate } })
      await experimentsChanged()
      setDay(ate ?? '')
      toast.success(ate ? `Em embargo até ${formatDay(ate)}` : 'Embargo encerrado')
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (day) void save(day)
    else setProblems({ ate: 'Este campo é obrigatório' })
  }
  return (
    <details>
      <summary className="cursor-pointer text-small font-medium">
        {embargo_ate ? `Embargo: até ${formatDay(embargo_ate)}` : 'Embargo'}
      </summary>
      <form
        noValidate
        onSubmit={submit}
        className="mt-2 flex flex-col gap-3 rounded-md border border-line px-4 py-3"
      >
        <p className="text-small text-muted">
          Até o dia anterior, só a sua organização vê este experimento, mesmo que ele esteja compartilhado ou
          tenha link público.
        </p>
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <Field label="Em embargo até" error={problems['ate']}>
          {(control) => (
            <Input
              {...control}
              type="date"
              name="embargo"
              className="sm:max-w-56"
              disabled={!may.allowed}
              min={dayInBrasilia(1)}
              max={dayInBrasilia(EMBARGO_YEARS * 365)}
              value={day}
              onChange={({ target }) => setDay(target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            size="small"
            busy={busy}
            disabled={!may.allowed}
            title={may.allowed ? undefined : may.reason}
          >
            Definir embargo
          </Button>
          {embargo_ate && (
            <Button size="small" disabled={!may.allowed || busy} onClick={() => void save(null)}>
              Encerrar embargo
            </Button>
          )}
        </div>
      </form>
    </details>
  )
}
