import { fieldOf, formatNumber, type IncompleteExperiment, LACK_NAMES, labelWithUnit } from '@ensaio/domain'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { reasonOf } from '../../api/client.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { editPage, recordPage } from '../../shell/paths.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput } from '../../ui/Input.tsx'
import { Badge } from '../../ui/Surface.tsx'
import { Cell, Row } from '../../ui/Table.tsx'
import {
  ChangedMeanwhile,
  type Draft,
  FILLED_KEYS,
  type FilledKey,
  fillIn,
  isCoordinate,
  lacksField,
  type Mistakes,
  mistakeIn,
} from './fill-in.ts'

/** The wizard's page of the treatments. */
const TREATMENTS_PAGE = 5

interface Props {
  experiment: IncompleteExperiment
  draft: Draft
  onDraft: (draft: Draft) => void
  onSaved: (experiment: IncompleteExperiment) => void
  narrow: boolean
}

/** One trial with what it lacks: a cell to fill in for each value that is asked of it, else a way to where it is entered. */
export function IncompleteRow({ experiment, draft, onDraft, onSaved, narrow }: Props) {
  const { id, nome, codigo, cidade, estado, faltas } = experiment
  const decision = useExperimentActions().may('experiment.edit', experiment)
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [version, setVersion] = useState(experiment.versao)
  const [busy, setBusy] = useState(false)
  const typed = FILLED_KEYS.filter((key) => key in draft)

  const put = (key: FilledKey, value: number | string | null | undefined) => {
    const { [key]: _before, ...rest } = draft
    // An emptied cell asks for nothing.
    onDraft(value === null || value === '' ? rest : { ...rest, [key]: value })
    setMistakes(({ [key]: _mended, ...others }) => others)
  }
  const check = (key: FilledKey) =>
    setMistakes((before) => {
      const { [key]: _old, ...others } = before
      const found = mistakeIn(key, draft)
      return found ? { ...others, [key]: found } : others
    })
  const save = async () => {
    const found = Object.fromEntries(
      typed.flatMap((key) => {
        const mistake = mistakeIn(key, draft)
        return mistake ? [[key, mistake]] : []
      }),
    )
    setMistakes(found)
    const [first] = Object.keys(found)
    if (first) return document.getElementById(`${id}-${first}`)?.focus()
    setBusy(true)
    setFailure(null)
    try {
      await fillIn({ id, versao: Math.max(version, experiment.versao) }, draft)
      onSaved(experiment)
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        setVersion(error.versao)
        setFailure(error.message)
      } else setFailure(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }

  const cell = (key: FilledKey) =>
    decision.allowed && lacksField(experiment, key) ? (
      <FilledCell
        key={key}
        {...{ id, field: key, draft, narrow }}
        of={nome}
        stands={experiment[key]}
        mistake={mistakes[key]}
        onValue={(value) => put(key, value)}
        onLeft={() => check(key)}
        onEnter={() => {
          if (typed.length > 0 && !busy) void save()
        }}
      />
    ) : null
  const standing = (key: FilledKey) => {
    const value = experiment[key]
    return typeof value === 'number' ? formatNumber(value, isCoordinate(key) ? 6 : 2) : value || '–'
  }
  const name = (
    <>
      <Link to={recordPage(id)} className="font-medium text-accent underline-offset-4 hover:underline">
        {nome}
      </Link>
      <span className="block text-small text-muted">
        {[codigo, `${cidade}, ${estado}`].filter(Boolean).join(' · ')}
      </span>
    </>
  )
  const lacking = (
    <ul className="flex flex-wrap gap-1" aria-label={`Falta a ${nome}`}>
      {faltas.map((lack) => (
        <li key={lack} title={LACK_NAMES[lack].para}>
          <Badge tone="warn">{LACK_NAMES[lack].nome}</Badge>
        </li>
      ))}
    </ul>
  )
  const actions = (
    <div className="flex flex-wrap items-center gap-2">
      {!decision.allowed && <span className="max-w-56 text-small text-muted">{decision.reason}</span>}
      {decision.allowed && FILLED_KEYS.some((key) => lacksField(experiment, key)) && (
        <Button size="small" variant="primary" busy={busy} disabled={typed.length === 0} onClick={save}>
          Salvar<span className="sr-only"> {nome}</span>
        </Button>
      )}
      {decision.allowed && faltas.includes('erro') && (
        <To address={recordPage(id, 'parcelas')} of={nome}>
          Digitar parcelas
        </To>
      )}
      {decision.allowed && (faltas.includes('comparacao') || faltas.includes('custos')) && (
        <To address={editPage(id, TREATMENTS_PAGE)} of={nome}>
          Ver tratamentos
        </To>
      )}
    </div>
  )
  const refused = failure && (
    <p role="alert" className="text-small text-danger">
      {failure}
    </p>
  )
  if (narrow)
    return (
      <li className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-0">
        <div>{name}</div>
        {lacking}
        <div className="grid grid-cols-2 gap-3">{FILLED_KEYS.map(cell)}</div>
        {refused}
        {actions}
      </li>
    )
  return (
    <>
      <Row className={failure ? 'border-0' : ''}>
        <Cell className="min-w-56 align-top">{name}</Cell>
        <Cell className="min-w-44 align-top">{lacking}</Cell>
        {FILLED_KEYS.map((key) => {
          const input = cell(key)
          return (
            <Cell key={key} numeric={input === null && key !== 'cultivar'} className="align-top">
              {input ?? standing(key)}
            </Cell>
          )
        })}
        <Cell className="min-w-48 align-top">{actions}</Cell>
      </Row>
      {refused && (
        <Row>
          <Cell colSpan={FILLED_KEYS.length + 3} className="pt-0">
            {refused}
          </Cell>
        </Row>
      )}
    </>
  )
}

const To = ({ address, of, children }: { address: string; of: string; children: ReactNode }) => (
  <Link to={address} className={buttonClasses('quiet', 'small')}>
    {children}
    <span className="sr-only"> de {of}</span>
  </Link>
)

interface CellProps {
  id: string
  field: FilledKey
  of: string
  draft: Draft
  /** What is stored. */
  stands: number | string | null
  mistake: string | undefined
  narrow: boolean
  onValue: (value: number | string | null | undefined) => void
  onLeft: () => void
  onEnter: () => void
}

function FilledCell({ id, field, of, draft, stands, mistake, narrow, onValue, onLeft, onEnter }: CellProps) {
  const about = fieldOf(field)
  const typing = {
    className: narrow ? '' : field === 'cultivar' ? '!w-36' : isCoordinate(field) ? '!w-32' : '!w-24',
    onBlur: onLeft,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') onEnter()
    },
  }
  const label = narrow ? (
    <>
      {labelWithUnit(field)}
      <span className="sr-only"> de {of}</span>
    </>
  ) : (
    `${labelWithUnit(field)} de ${of}`
  )
  return (
    <Field
      label={label}
      hiddenLabel={!narrow}
      id={`${id}-${field}`}
      error={mistake}
      className={narrow ? '' : 'max-w-40'}
    >
      {(control) =>
        about.type === 'number' ? (
          <NumberInput
            {...control}
            {...typing}
            grouping={!isCoordinate(field)}
            placeholder={isCoordinate(field) ? '-0,000000' : ''}
            value={field in draft ? (draft[field] as number | null | undefined) : (stands as number | null)}
            onValue={onValue}
          />
        ) : (
          <Input
            {...control}
            {...typing}
            placeholder={String(stands ?? '')}
            maxLength={200}
            value={draft.cultivar ?? ''}
            onChange={(event) => onValue(event.target.value)}
          />
        )
      }
    </Field>
  )
}
