import { type Exclusion, type Experiment, formatDateTime } from '@ensaio/domain'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput } from '../../ui/Input.tsx'
import { Card } from '../../ui/Surface.tsx'
import type { Column, Draft } from './sheet-state.ts'

/** The chosen plot: what it is, its area, and leaving it out of the analysis with a reason. */
export function CellPanel({
  experiment,
  draft,
  column,
  place,
  readOnly,
  onChange,
}: {
  experiment: Experiment
  draft: Draft
  column: Column | undefined
  place: number | undefined
  readOnly: boolean
  onChange: (part: Partial<Draft>) => void
}) {
  const [reason, setReason] = useState('')
  const [tooShort, setTooShort] = useState(false)
  const plot = place === undefined ? undefined : draft.parcelas[place]
  const number = plot?.numero
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plot has been chosen
  useEffect(() => {
    setReason('')
    setTooShort(false)
  }, [number])
  if (!plot || place === undefined) return null
  const outs = draft.exclusoes.filter(({ parcela }) => parcela === plot.numero)
  const exclude = () => {
    const motivo = reason.trim()
    if (motivo.length < 5) return setTooShort(true)
    const out: Exclusion = {
      parcela: plot.numero,
      variavel: column?.variable.chave ?? null,
      avaliacao: column?.avaliacao ?? null,
      motivo,
    }
    onChange({ exclusoes: [...draft.exclusoes, out] })
    setReason('')
  }
  const set = (part: Partial<typeof plot>) =>
    onChange({ parcelas: draft.parcelas.map((one, at) => (at === place ? { ...one, ...part } : one)) })
  return (
    <Card className="flex flex-col gap-4 p-4">
      <p className="figures">
        <strong className="font-semibold">Parcela {plot.numero}</strong>
        <span className="text-muted">
          {' '}
          · T{plot.tratamento} {experiment.tratamentos[plot.tratamento - 1]?.nome}
          {plot.bloco !== null && ` · bloco ${plot.bloco}`}
          {plot.linha !== null && ` · linha ${plot.linha}, coluna ${plot.coluna}`}
        </span>
      </p>
      {!readOnly && (
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Área da parcela" className="w-40">
            {(control) => (
              <NumberInput
                {...control}
                unit="m²"
                value={plot.area_m2}
                onValue={(area) => area !== undefined && set({ area_m2: area })}
              />
            )}
          </Field>
          <Button
            size="small"
            className="mb-1"
            disabled={plot.area_m2 === null}
            onClick={() =>
              onChange({ parcelas: draft.parcelas.map((one) => ({ ...one, area_m2: plot.area_m2 })) })
            }
          >
            Mesma área em todas
          </Button>
          <Field
            label={`Deixar fora da análise${column ? ` (${column.title})` : ''}`}
            className="min-w-60 flex-1"
            error={tooShort ? 'Diga o motivo em 5 a 200 caracteres' : undefined}
          >
            {(control) => (
              <Input
                {...control}
                value={reason}
                maxLength={200}
                placeholder="Motivo, por exemplo acamamento"
                onChange={(event) => {
                  setReason(event.target.value)
                  setTooShort(false)
                }}
              />
            )}
          </Field>
          <Button className="mb-0.5" onClick={exclude}>
            Deixar fora
          </Button>
        </div>
      )}
      {outs.length > 0 && (
        <ul className="flex flex-col gap-1 text-small">
          {outs.map((out) => (
            <li
              key={`${out.variavel}${out.avaliacao}${out.motivo}`}
              className="flex flex-wrap items-center gap-2"
            >
              <span>
                Fora da análise
                {out.variavel &&
                  ` de ${draft.variaveis.find(({ chave }) => chave === out.variavel)?.nome ?? out.variavel}`}
                : {out.motivo}
                {'quem' in out && 'quando' in out && (
                  <span className="text-muted">
                    {' '}
                    ({[out.quem, formatDateTime(String(out.quando))].filter(Boolean).join(', ')})
                  </span>
                )}
              </span>
              {!readOnly && (
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => onChange({ exclusoes: draft.exclusoes.filter((one) => one !== out) })}
                >
                  Voltar a analisar
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
