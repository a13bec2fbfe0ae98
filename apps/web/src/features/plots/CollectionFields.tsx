import { allowsSeveral, holdsText, SCALES, type TrialVariable } from '@ensaio/domain'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput } from '../../ui/Input.tsx'
import { ScaleFigure } from '../../ui/ScaleFigure.tsx'

type Limit = 'minimo' | 'maximo' | 'esperado_min' | 'esperado_max' | 'casas' | 'amostras'
const LIMITS: readonly { key: Limit; label: string; help?: string }[] = [
  { key: 'minimo', label: 'Mínimo', help: 'Abaixo não é aceito' },
  { key: 'maximo', label: 'Máximo', help: 'Acima não é aceito' },
  { key: 'esperado_min', label: 'Esperado de', help: 'Fora da faixa o celular pergunta' },
  { key: 'esperado_max', label: 'Esperado até' },
]
const COUNTS: readonly { key: Limit; label: string; help?: string }[] = [
  { key: 'casas', label: 'Casas decimais' },
  { key: 'amostras', label: 'Amostras', help: 'Por parcela; a média é o valor' },
]

/** How a variable is collected: what the collector reads, what is accepted, and what notes are called. */
export function CollectionFields({
  variable,
  filled,
  onChange,
}: {
  variable: TrialVariable
  /** It has values already: they stay what they are, numbers or words. */
  filled: boolean
  onChange: (part: Partial<TrialVariable>) => void
}) {
  if (variable.formula) return null
  const isNote = variable.tipo === 'nota'
  const limits = [
    ...LIMITS,
    ...COUNTS.filter(({ key }) => key === 'amostras' || (variable.tipo !== 'contagem' && !isNote)),
  ]
  return (
    <details className="flex flex-col gap-3">
      <summary className="cursor-pointer text-small font-medium text-accent">
        Coleta no campo
        {variable.nome && <span className="sr-only">: {variable.nome}</span>}
      </summary>
      <div className="flex flex-col gap-3 pt-3">
        <Field label="Instrução para quem coleta">
          {(box) => (
            <Input
              {...box}
              value={variable.instrucao ?? ''}
              maxLength={500}
              placeholder="Do solo à última folha aberta"
              onChange={(event) => onChange({ instrucao: event.target.value || null })}
            />
          )}
        </Field>
        {!holdsText(variable) && (
          <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3 lg:grid-cols-6">
            {limits.map(({ key, label, help }) => (
              <Field key={key} label={label} help={help}>
                {(box) => (
                  <NumberInput
                    {...box}
                    value={variable[key]}
                    onValue={(value) => value !== undefined && onChange({ [key]: value })}
                  />
                )}
              </Field>
            ))}
          </div>
        )}
        {isNote && <Notes variable={variable} onChange={onChange} />}
        {isNote && ((variable.categorias?.length ?? 0) > 1 || allowsSeveral(variable)) && (
          <Several variable={variable} filled={filled} onChange={onChange} />
        )}
      </div>
    </details>
  )
}

/** What each note is called: on the phone a large button of its own. */
function Notes({
  variable,
  onChange,
}: {
  variable: TrialVariable
  onChange: (part: Partial<TrialVariable>) => void
}) {
  const notes = variable.categorias ?? []
  const put = (categorias: typeof notes) =>
    onChange({
      categorias: categorias.length === 0 ? null : categorias,
      // A scale is what its notes say.
      ...(categorias.length > 1 && { escala: scaleOf(categorias) }),
    })
  return (
    <div className="flex flex-col gap-2">
      {notes.map((note, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a note being changed has no other name
        <div key={at} className="flex items-end gap-1 sm:gap-2">
          <Field label="Nota" hiddenLabel={at > 0} className="w-15 sm:w-24">
            {(box) => (
              <NumberInput
                {...box}
                value={note.valor}
                onValue={(valor) =>
                  typeof valor === 'number' &&
                  put(notes.map((one, i) => (i === at ? { ...one, valor } : one)))
                }
              />
            )}
          </Field>
          <Field label="Significa" hiddenLabel={at > 0} className="min-w-0 flex-1">
            {(box) => (
              <Input
                {...box}
                value={note.rotulo}
                maxLength={60}
                onChange={(event) =>
                  put(notes.map((one, i) => (i === at ? { ...one, rotulo: event.target.value } : one)))
                }
              />
            )}
          </Field>
          <ScaleFigure
            figura={note.figura}
            className="mb-0.5 text-text max-sm:mb-2.5 max-sm:h-auto max-sm:w-11"
          />
          <IconButton
            label={`Retirar a nota ${note.valor}`}
            tone="danger"
            onClick={() => put(notes.filter((_, i) => i !== at))}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      {notes.length === 0 && (
        <fieldset className="flex flex-wrap items-center gap-2">
          <legend className="mb-1 text-small text-muted">Escalas prontas, com figura</legend>
          {SCALES.map((scale) => (
            <Button
              key={scale.nome}
              size="small"
              onClick={() =>
                onChange({
                  categorias: [...scale.categorias],
                  escala: scaleOf(scale.categorias),
                  ...(variable.unidade === '' && { unidade: scale.unidade }),
                })
              }
            >
              {scale.nome}
            </Button>
          ))}
        </fieldset>
      )}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() =>
            put([...notes, { valor: Math.max(0, ...notes.map(({ valor }) => valor)) + 1, rotulo: '' }])
          }
        >
          Adicionar nota
        </Button>
      </div>
    </div>
  )
}

function Several({ variable, filled, onChange }: Parameters<typeof CollectionFields>[0]) {
  const helpId = useId()
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        label="Permitir várias categorias"
        checked={allowsSeveral(variable)}
        disabled={filled}
        aria-describedby={helpId}
        onChange={(event) =>
          onChange(event.target.checked ? { varias: true, amostras: null } : { varias: false })
        }
      />
      <p id={helpId} className="text-small text-muted">
        {filled
          ? 'Não muda enquanto houver valores: apague-os antes ou crie outra variável.'
          : 'Cada parcela pode ter mais de uma. Os valores ficam como texto (1; 3) e não são analisados.'}
      </p>
    </div>
  )
}

const scaleOf = (notes: readonly { valor: number }[]): [number, number] => {
  const values = notes.map(({ valor }) => valor)
  return [Math.min(...values), Math.max(...values)]
}
