import type { Experiment } from '@ensaio/domain'
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, Select } from '../../ui/Input.tsx'
import type { Draft } from './sheet-state.ts'

const KEYS = ['A', 'B', 'C'] as const

/** The factors of a trial and the levels of each treatment. */
export function Factors({
  draft: { fatores, tratamentos },
  experiment,
  onFactors,
  onLevels,
}: {
  draft: Draft
  experiment: Experiment
  onFactors: (factors: Draft['fatores']) => void
  onLevels: (treatments: Draft['tratamentos']) => void
}) {
  const next = KEYS[fatores.length]
  return (
    <div className="flex flex-col gap-3">
      {fatores.map((factor, at) => (
        <div key={factor.chave} className="flex flex-wrap items-end gap-2">
          <Field label={`Fator ${factor.chave}`} className="min-w-40 flex-1">
            {(box) => (
              <Input
                {...box}
                value={factor.nome}
                maxLength={60}
                onChange={(event) =>
                  onFactors(fatores.map((one, i) => (i === at ? { ...one, nome: event.target.value } : one)))
                }
              />
            )}
          </Field>
          <Field label="Tipo" className="w-60">
            {(box) => (
              <Select
                {...box}
                value={factor.tipo}
                options={[
                  { value: 'qualitativo', label: 'Qualitativo' },
                  { value: 'quantitativo', label: 'Quantitativo (doses)' },
                ]}
                onChange={(event) =>
                  onFactors(
                    fatores.map((one, i) =>
                      i === at ? { ...one, tipo: event.target.value as typeof one.tipo } : one,
                    ),
                  )
                }
              />
            )}
          </Field>
          <Field label="Unidade" className="w-28">
            {(box) => (
              <Input
                {...box}
                value={factor.unidade}
                maxLength={40}
                onChange={(event) =>
                  onFactors(
                    fatores.map((one, i) => (i === at ? { ...one, unidade: event.target.value } : one)),
                  )
                }
              />
            )}
          </Field>
          {at === fatores.length - 1 && (
            <IconButton
              label={`Retirar o fator ${factor.chave}`}
              tone="danger"
              onClick={() => {
                onFactors(fatores.slice(0, -1))
                onLevels(
                  tratamentos.map((one) => {
                    if (one.niveis === null) return one
                    const { [factor.chave]: _, ...left } = one.niveis
                    return { ...one, niveis: fatores.length === 1 ? null : left }
                  }),
                )
              }}
            >
              <Trash2 aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      {next && (
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => {
              onFactors([
                ...fatores,
                { chave: next, nome: `Fator ${next}`, tipo: 'qualitativo', unidade: '' },
              ])
              onLevels(
                tratamentos.map((one) => ({
                  ...one,
                  niveis: { ...one.niveis, [next]: one.niveis?.[next] ?? '' },
                })),
              )
            }}
          >
            Adicionar fator
          </Button>
        </div>
      )}
      {fatores.length > 0 && (
        <ul className="flex flex-col gap-2">
          {tratamentos.map((treatment, at) => (
            <li key={treatment.numero} className="flex flex-wrap items-center gap-2">
              <span className="figures w-52 truncate text-small">
                T{treatment.numero} {experiment.tratamentos[treatment.numero - 1]?.nome}
              </span>
              {treatment.niveis !== null &&
                fatores.map(({ chave, nome }) => (
                  <Input
                    key={chave}
                    aria-label={`Nível de ${nome} em T${treatment.numero}`}
                    className="max-w-36"
                    placeholder={nome}
                    maxLength={60}
                    value={treatment.niveis?.[chave] ?? ''}
                    onChange={(event) =>
                      onLevels(
                        tratamentos.map((one, i) =>
                          i === at ? { ...one, niveis: { ...one.niveis, [chave]: event.target.value } } : one,
                        ),
                      )
                    }
                  />
                ))}
              <Checkbox
                label="fora do fatorial"
                checked={treatment.niveis === null}
                onChange={(event) =>
                  onLevels(
                    tratamentos.map((one, i) =>
                      i === at
                        ? {
                            ...one,
                            niveis: event.target.checked
                              ? null
                              : Object.fromEntries(fatores.map(({ chave }) => [chave, ''])),
                          }
                        : one,
                    ),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
