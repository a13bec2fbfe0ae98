import type { KeptRange, QualityAdmin } from '@ensaio/domain'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput } from '../../ui/Input.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'

const AMOUNTS = [
  { key: 'media', label: 'Média publicada' },
  { key: 'abaixo', label: 'Conferir abaixo de' },
  { key: 'acima', label: 'Conferir acima de' },
  { key: 'impossivel', label: 'Impossível acima de' },
] as const
const EMPTY: KeptRange = {
  ...{ cultura: '', safra: '', fonte: '', endereco: null, publicada: null },
  ...{ media: 0, abaixo: 0, acima: 0, impossivel: 0, ligada: true },
}

/** What the advice on yields rests on, and what of the advice wants an administrator's eye. */
export function CropRanges() {
  const query = useEndpoint('adminQuality', {}, { staleTime: 0 })
  if (query.isError)
    return (
      <Card>
        <ErrorState message={query.error.message} onRetry={() => query.refetch()} />
      </Card>
    )
  if (!query.data) return <Skeleton className="h-40" />
  const { faixas, regras, fontes } = query.data
  return (
    <>
      <Ranges key={JSON.stringify(faixas)} stored={faixas} onSaved={() => query.refetch()} />
      <ToReview regras={regras} fontes={fontes} />
    </>
  )
}

function Ranges({ stored, onSaved }: { stored: readonly KeptRange[]; onSaved: () => unknown }) {
  const [ranges, setRanges] = useState<KeptRange[]>([...stored])
  const [busy, setBusy] = useState(false)
  const set = (at: number, part: Partial<KeptRange>) =>
    setRanges(ranges.map((range, i) => (i === at ? { ...range, ...part } : range)))
  const save = async () => {
    setBusy(true)
    const saved = await attempt(
      () => call('adminPutCropRanges', { body: { faixas: ranges } }),
      'Faixas salvas',
    )
    setBusy(false)
    if (saved) await onSaved()
  }
  return (
    <Card>
      <CardHeader
        title="Faixas de produtividade"
        subtitle="Em kg/ha. Cada faixa diz onde a média foi lida; uma cultura sem faixa não é comparada. Ao salvar, os apontamentos de todos os ensaios são refeitos."
      />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {ranges.map((range, at) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: a range being written has no name yet
            key={at}
            aria-label={range.cultura === '' ? 'Nova faixa' : `Faixa de ${range.cultura}`}
            className="grid grid-cols-1 items-start gap-3 border-b border-line pb-4 sm:grid-cols-2 lg:grid-cols-4"
          >
            <Field label="Cultura">
              {(control) => (
                <Input
                  {...control}
                  value={range.cultura}
                  maxLength={200}
                  onChange={(event) => set(at, { cultura: event.target.value })}
                />
              )}
            </Field>
            <Field label="Safra da média">
              {(control) => (
                <Input
                  {...control}
                  value={range.safra}
                  maxLength={40}
                  onChange={(event) => set(at, { safra: event.target.value })}
                />
              )}
            </Field>
            <Field label="Fonte">
              {(control) => (
                <Input
                  {...control}
                  value={range.fonte}
                  maxLength={300}
                  onChange={(event) => set(at, { fonte: event.target.value })}
                />
              )}
            </Field>
            <Field label="Publicada em" help="Ano ou data (aaaa-mm-dd); vazio: sem data">
              {(control) => (
                <Input
                  {...control}
                  value={range.publicada ?? ''}
                  maxLength={10}
                  onChange={(event) => set(at, { publicada: event.target.value.trim() || null })}
                />
              )}
            </Field>
            {AMOUNTS.map(({ key, label }) => (
              <Field key={key} label={label} help="kg/ha">
                {(control) => (
                  <NumberInput
                    {...control}
                    value={range[key] === 0 ? undefined : range[key]}
                    onValue={(value) => set(at, { [key]: typeof value === 'number' ? value : 0 })}
                  />
                )}
              </Field>
            ))}
            <Field label="Endereço da fonte" help="Opcional" className="sm:col-span-2">
              {(control) => (
                <Input
                  {...control}
                  type="url"
                  value={range.endereco ?? ''}
                  maxLength={500}
                  onChange={(event) => set(at, { endereco: event.target.value.trim() || null })}
                />
              )}
            </Field>
            <div className="flex items-center justify-between gap-3 sm:col-span-2 lg:mt-6">
              <Checkbox
                checked={range.ligada}
                onChange={(event) => set(at, { ligada: event.target.checked })}
                label="Comparar as produtividades desta cultura"
              />
              <IconButton
                label={`Retirar a faixa de ${range.cultura === '' ? 'nova cultura' : range.cultura}`}
                tone="danger"
                onClick={() => setRanges(ranges.filter((_, i) => i !== at))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </div>
          </fieldset>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setRanges([...ranges, { ...EMPTY }])}
          >
            Nova cultura
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Salvar faixas de produtividade
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** Rules that are waved away too often make people blind; old sources may no longer hold. */
function ToReview({ regras, fontes }: Pick<QualityAdmin, 'regras' | 'fontes'>) {
  return (
    <Card>
      <CardHeader
        title="Apontamentos a rever"
        subtitle="Regras respondidas com “Está certo assim” em mais de 30 % de ao menos 20 ensaios, e fontes com mais de 24 meses"
      />
      <div className="flex flex-col gap-3 px-5 pb-5">
        {regras.length === 0 && <p className="text-muted">Nenhuma regra respondida demais</p>}
        <ul className="flex flex-col gap-1">
          {regras.map(({ codigo, respondidos, casos }) => (
            <li key={codigo}>
              <code>{codigo}</code>: {respondidos} de {casos} ensaios
            </li>
          ))}
          {fontes.map(({ titulo, endereco, antiga }) => (
            <li key={titulo}>
              {endereco ? (
                <a className="underline underline-offset-4" href={endereco} target="_blank" rel="noreferrer">
                  {titulo}
                </a>
              ) : (
                titulo
              )}{' '}
              <span className="text-warn">{antiga}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
