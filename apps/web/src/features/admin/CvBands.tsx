import { type CvBand, GENERAL_CV_BAND } from '@ensaio/domain'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput } from '../../ui/Input.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'

const LIMITS = ['médio a partir de', 'alto a partir de', 'muito alto acima de'] as const

/** From which CV on an analysis calls it medium, high or very high, for a crop and a variable. */
export function CvBands() {
  const query = useEndpoint('adminCvBands', {}, { staleTime: 0 })
  if (query.isError)
    return (
      <Card>
        <ErrorState message={query.error.message} onRetry={() => query.refetch()} />
      </Card>
    )
  if (!query.data) return <Skeleton className="h-40" />
  return (
    <Bands
      key={JSON.stringify(query.data.faixas)}
      stored={query.data.faixas}
      onSaved={() => query.refetch()}
    />
  )
}

function Bands({ stored, onSaved }: { stored: readonly CvBand[]; onSaved: () => unknown }) {
  const [bands, setBands] = useState<CvBand[]>([...stored])
  const [busy, setBusy] = useState(false)
  const set = (at: number, part: Partial<CvBand>) =>
    setBands(bands.map((band, i) => (i === at ? { ...band, ...part } : band)))
  const save = async () => {
    setBusy(true)
    const saved = await attempt(() => call('adminPutCvBands', { body: { faixas: bands } }), 'Faixas salvas')
    setBusy(false)
    if (saved) await onSaved()
  }
  return (
    <Card>
      <CardHeader
        title="Faixas do CV"
        subtitle={`Sem uma faixa própria valem as gerais de Pimentel-Gomes: ${GENERAL_CV_BAND.join(', ')} %.`}
      />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {bands.map((band, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a band being written has no name yet
          <div key={at} className="flex flex-wrap items-end gap-3 border-b border-line pb-4">
            <Field label="Cultura" help="Vazio: todas" className="w-44">
              {(control) => (
                <Input
                  {...control}
                  value={band.cultura}
                  maxLength={200}
                  onChange={(event) => set(at, { cultura: event.target.value })}
                />
              )}
            </Field>
            <Field label="Variável" help="Vazio: todas" className="w-44">
              {(control) => (
                <Input
                  {...control}
                  value={band.variavel}
                  maxLength={80}
                  onChange={(event) => set(at, { variavel: event.target.value })}
                />
              )}
            </Field>
            {LIMITS.map((label, i) => (
              <Field key={label} label={label} help="%" className="w-36">
                {(control) => (
                  <NumberInput
                    {...control}
                    value={band.limites[i]}
                    onValue={(value) => {
                      if (typeof value !== 'number') return
                      const limites = [...band.limites] as CvBand['limites']
                      limites[i] = value
                      set(at, { limites })
                    }}
                  />
                )}
              </Field>
            ))}
            <IconButton
              label="Retirar faixa"
              tone="danger"
              className="mb-6"
              onClick={() => setBands(bands.filter((_, i) => i !== at))}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setBands([...bands, { cultura: '', variavel: '', limites: [...GENERAL_CV_BAND] }])}
          >
            Nova faixa
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Salvar faixas
          </Button>
        </div>
      </div>
    </Card>
  )
}
