import { counted, type Experiment, MOST_TOGETHER } from '@ensaio/domain'
import { useQueries } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { reading, useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Checkbox, SearchInput } from '../../ui/Input.tsx'
import { ErrorState } from '../../ui/Surface.tsx'

const SHOWN = 10
/** What is typed is searched when it rests. */
const REST_MS = 300

/** The trial and those that are handed in with it, as far as they are known; whether some cannot be read. */
export function useTogether(
  experiment: Experiment,
  chosen: readonly string[],
): { together: readonly Experiment[]; lost: boolean } {
  const source = useSource()
  const others = useQueries({
    queries: chosen
      .filter((id) => id !== experiment.id)
      .map((id) => reading('getExperiment', { params: { id } }, source)),
  })
  return {
    together: [experiment, ...others.flatMap(({ data }) => (data ? [data.experimento] : []))],
    lost: others.some(({ isError }) => isError),
  }
}

const placeOf = ({ nome, cidade, estado }: Pick<Experiment, 'nome' | 'cidade' | 'estado'>) =>
  `${nome} · ${cidade}/${estado}`

/** Which trials of the same crop would be handed in together. */
export function RegistrationSet({
  experiment,
  chosen,
  together,
  lost,
  onChosen,
}: {
  experiment: Experiment
  chosen: readonly string[]
  together: readonly Experiment[]
  lost: boolean
  onChosen: (ids: readonly string[]) => void
}) {
  const [text, setText] = useState('')
  const [busca, setBusca] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setBusca(text.trim()), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  const list = useEndpoint(
    'listExperiments',
    { query: { cultura: experiment.cultura, ...(busca && { busca }), limit: SHOWN } },
    { keep: true },
  )
  const others = (list.data?.experimentos ?? []).filter(({ id }) => id !== experiment.id)
  const put = (id: string, wanted: boolean) =>
    onChosen(wanted ? [...chosen, id] : chosen.filter((one) => one !== id))
  const full = chosen.length >= MOST_TOGETHER
  return (
    <section
      aria-labelledby="conjunto"
      className="no-print flex flex-col gap-3 rounded-md border border-line p-4"
    >
      <div>
        <h3 id="conjunto" className="font-semibold">
          Conjunto para registro
        </h3>
        <p className="text-small text-muted">
          A norma pede locais e safras de vários ensaios. Este e{' '}
          {counted(together.length - 1, 'outro', 'outros')} {together.length === 2 ? 'entra' : 'entram'} na
          conta.
        </p>
      </div>
      {together.length > 1 && (
        <ul
          aria-label="No conjunto"
          className="flex flex-col divide-y divide-line rounded-md border border-line"
        >
          {together.slice(1).map((one) => (
            <li key={one.id} className="flex items-center justify-between gap-3 py-1 pr-1 pl-3 text-small">
              <span className="min-w-0 break-words">{placeOf(one)}</span>
              <IconButton label={`Tirar ${placeOf(one)} do conjunto`} onClick={() => put(one.id, false)}>
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <SearchInput
        label={`Procurar ensaios de ${experiment.cultura}`}
        placeholder={`Procurar ensaios de ${experiment.cultura}`}
        value={text}
        onValue={setText}
        className="max-w-md"
      />
      {list.isError && <ErrorState message="Erro ao buscar os ensaios" onRetry={() => list.refetch()} />}
      {lost && (
        <Button
          className="self-start"
          size="small"
          onClick={() => onChosen(together.slice(1).map(({ id }) => id))}
        >
          Tirar os que não podem ser lidos
        </Button>
      )}
      {list.isSuccess && others.length === 0 && (
        <p className="text-small text-muted">Nenhum outro ensaio de {experiment.cultura} foi encontrado.</p>
      )}
      <ul aria-label="Ensaios encontrados" className="flex flex-col gap-2">
        {others.map((one) => (
          <li key={one.id}>
            <Checkbox
              label={placeOf(one)}
              checked={chosen.includes(one.id)}
              disabled={full && !chosen.includes(one.id)}
              onChange={({ target }) => put(one.id, target.checked)}
            />
          </li>
        ))}
      </ul>
      {full && <p className="text-small text-muted">No máximo {MOST_TOGETHER} ensaios.</p>}
    </section>
  )
}
