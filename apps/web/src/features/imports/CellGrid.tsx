import {
  counted,
  formatNumber,
  type Import,
  type ImportProblem,
  type ImportRow,
  importFieldLabel,
} from '@ensaio/domain'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Badge } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import type { CellEdit } from './use-import.ts'
import { valueText } from './value-text.ts'

interface Line {
  key: string
  n: number
  /** Its sheet, where several are joined. */
  folha: string | null
  linha: number
  /** The first of its trial. */
  first: boolean
  valores: Record<string, string>
}
type Place = { row: number; column: number }

const STATES: Record<ImportRow['estado'], { label: string; tone: 'ok' | 'accent' | 'plain' | 'danger' }> = {
  novo: { label: 'Novo', tone: 'ok' },
  atualizar: { label: 'Atualizar', tone: 'accent' },
  igual: { label: 'Igual', tone: 'plain' },
  erro: { label: 'Com erro', tone: 'danger' },
}
/** Of the columns before the one that is shown, px. */
const SEEN_AROUND = 60
/** Cells that one request may change. */
const MOST_AT_ONCE = 1000
const keyAt = (linha: number, coluna: string) => `${linha} ${coluna}`

/** What a written number was taken for, where its look leaves a doubt: '1.234' is 1.234 or 1,234. */
function understood(text: string, decimal: ',' | '.'): string | null {
  if (!/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return null
  const value = Number(text.replaceAll(decimal === ',' ? '.' : ',', '').replace(',', '.'))
  return formatNumber(value, 6)
}

/** Their rows as a sheet: arrows, Enter, typing, a pasted block, Ctrl+Z; what is wrong stands in its cell. */
export function CellGrid({
  importacao,
  rows,
  more,
  problems,
  busy,
  onEdit,
  onAnyway,
}: {
  importacao: Import
  rows: readonly ImportRow[]
  /** There are rows that are not shown yet. */
  more: boolean
  /** Of the whole spreadsheet. */
  problems: readonly ImportProblem[]
  busy: boolean
  /** Answers with what stood in every cell that was changed; null where nothing was. */
  onEdit: (changes: CellEdit[], iguais?: boolean) => Promise<CellEdit[] | null>
  onAnyway: (n: number) => void
}) {
  const joined = importacao.forma === 'folhas'
  const columns = importacao.mapa.filter(({ campo }) => campo !== null)
  const lines = useMemo(
    () =>
      rows.flatMap(({ n, celulas }): Line[] =>
        celulas.map(({ folha, linha, valores }, at) => ({
          ...{ key: `${n} ${at}`, n, folha, linha, valores, first: at === 0 },
        })),
      ),
    [rows],
  )
  const trials = useMemo(() => new Map(rows.map((row) => [row.n, row])), [rows])
  const byCell = useMemo(() => {
    const all = new Map<string, ImportProblem[]>()
    for (const { problemas } of rows)
      for (const one of problemas) {
        const sheet = joined && one.folha !== null ? `${one.folha}!` : ''
        const key = keyAt(one.linha, `${sheet}${one.coluna ?? ''}`)
        all.set(key, [...(all.get(key) ?? []), one])
      }
    return all
  }, [rows, joined])
  /** What is wrong with a cell: rows of two sheets may have one number. */
  const wrongIn = ({ folha, linha }: Line, coluna: string) =>
    folha === null || coluna === '' || coluna.startsWith(`${folha}!`)
      ? byCell.get(keyAt(linha, coluna || (folha === null ? '' : `${folha}!`)))
      : undefined
  const lineName = ({ folha, linha }: Line) =>
    folha === null ? formatNumber(linha, 0) : `${folha} ${formatNumber(linha, 0)}`
  /** Cells with a problem, in the order of reading. */
  const wrongCells = lines.flatMap((one, row) =>
    columns.flatMap(({ coluna }, column) => (wrongIn(one, coluna) ? [{ row, column }] : [])),
  )
  const [at, setAt] = useState<Place>(() => wrongCells[0] ?? { row: 0, column: 0 })
  const [typed, setTyped] = useState<string | null>(null)
  /** What is typed goes into every cell that holds the same. */
  const [forAll, setForAll] = useState(false)
  const undone = useRef<CellEdit[][]>([])
  const grid = useRef<HTMLDivElement>(null)

  // What is wrong first is in sight at once, in its own box: the page stays where it is.
  const shown = useRef(false)
  useEffect(() => {
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${at.row} ${at.column}"]`)
    if (shown.current || !cell || !grid.current) return
    shown.current = true
    const left = grid.current.querySelector<HTMLElement>('[role="rowheader"]')?.offsetWidth ?? 0
    grid.current.scrollTo({
      left: Math.max(0, cell.offsetLeft - left - SEEN_AROUND),
      top: Math.max(0, cell.offsetTop - grid.current.clientHeight / 2),
    })
  }, [at])

  const line = lines[at.row]
  const column = columns[at.column]
  const valueAt = (place: Place) => lines[place.row]?.valores[columns[place.column]?.coluna ?? ''] ?? ''

  const focusAt = (place: Place) => {
    setAt(place)
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>(`[data-cell="${place.row} ${place.column}"]`)?.focus(),
    )
  }
  const move = (rowsDown: number, columnsRight: number) =>
    focusAt({
      row: Math.min(lines.length - 1, Math.max(0, at.row + rowsDown)),
      column: Math.min(columns.length - 1, Math.max(0, at.column + columnsRight)),
    })
  const apply = async (changes: CellEdit[], { iguais = false } = {}) => {
    if (changes.length === 0) return
    const before: CellEdit[] = []
    for (let from = 0; from < changes.length; from += MOST_AT_ONCE) {
      const part = await onEdit(changes.slice(from, from + MOST_AT_ONCE), iguais)
      if (part === null) break
      before.push(...part)
    }
    if (before.length > 0) undone.current.push(before)
  }
  const takeBack = async () => {
    const last = undone.current.at(-1) ?? []
    for (let from = 0; from < last.length; from += MOST_AT_ONCE)
      if ((await onEdit(last.slice(from, from + MOST_AT_ONCE))) === null) return
    undone.current = undone.current.filter((one) => one !== last)
  }
  const put = (valor: string, iguais = forAll) => {
    setTyped(null)
    setForAll(false)
    if (line && column && (valor !== valueAt(at) || iguais))
      void apply([{ linha: line.linha, coluna: column.coluna, valor }], { iguais })
  }

  const onKey = (event: KeyboardEvent) => {
    if (typed !== null) {
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault()
        put(typed)
        move(
          event.key === 'Enter' ? (event.shiftKey ? -1 : 1) : 0,
          event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : 0,
        )
      } else if (event.key === 'Escape') {
        event.stopPropagation()
        setTyped(null)
        setForAll(false)
        focusAt(at)
      }
      return
    }
    const arrows: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    }
    const arrow = arrows[event.key]
    if (arrow) {
      event.preventDefault()
      move(...arrow)
    } else if (event.key === 'Home') move(0, -columns.length)
    else if (event.key === 'End') move(0, columns.length)
    else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      setTyped(valueAt(at))
    } else if (event.key === 'Delete' || event.key === 'Backspace') put('')
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
      event.preventDefault()
      void takeBack()
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      setTyped(event.key)
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    if (typed !== null) return
    event.preventDefault()
    const block = event.clipboardData
      .getData('text/plain')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map((text) => text.split('\t'))
    // What has no place is told, and never dropped in silence.
    const below = Math.max(0, at.row + block.length - lines.length)
    const widest = block.reduce((most, { length }) => Math.max(most, length), 0)
    const beside = Math.max(0, at.column + widest - columns.length)
    const left = [
      ...(below > 0 ? [counted(below, 'linha', 'linhas')] : []),
      ...(beside > 0 ? [counted(beside, 'coluna', 'colunas')] : []),
    ]
    if (left.length > 0)
      toast.error(
        `Fora da tabela mostrada, não coladas: ${left.join(' e ')}.${more && below > 0 ? ' Mostre mais linhas e cole o resto.' : ''}`,
      )
    void apply(
      block.slice(0, lines.length - at.row).flatMap((cells, down) =>
        cells.flatMap((valor, right) => {
          const target = lines[at.row + down]
          const under = columns[at.column + right]
          return target && under ? [{ linha: target.linha, coluna: under.coluna, valor }] : []
        }),
      ),
    )
  }

  const here = line && column ? (wrongIn(line, column.coluna) ?? []) : []
  const ofRow = line ? (wrongIn(line, '') ?? []) : []
  const trial = line ? trials.get(line.n) : undefined
  const told = here[0]
  const like =
    told && column
      ? problems.filter(
          (one) => one.campo === told.campo && one.mensagem === told.mensagem && one.valor === told.valor,
        ).length
      : 0

  return (
    <div>
      <div
        ref={grid}
        role="grid"
        aria-label="Linhas da planilha"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1}
        tabIndex={-1}
        className="relative max-h-[60vh] overflow-auto"
        onKeyDown={onKey}
        onPaste={onPaste}
      >
        <div role="row" className="sticky top-0 z-10 flex w-max min-w-full border-b border-line bg-surface">
          <div
            role="columnheader"
            className={classes(
              'sticky left-0 shrink-0 bg-surface px-3 py-2 text-small font-medium text-muted',
              joined ? 'w-40' : 'w-24',
            )}
          >
            Linha
          </div>
          {columns.map((one) => (
            <div
              key={one.coluna}
              role="columnheader"
              className="w-40 shrink-0 px-3 py-2 text-small font-medium text-muted"
            >
              <span
                className={classes('figures mr-1 text-faint', joined && 'block truncate')}
                title={one.coluna}
              >
                {one.coluna}
              </span>
              <span className={classes(joined && 'block truncate')} title={one.titulo}>
                {one.titulo}
              </span>
            </div>
          ))}
        </div>
        {lines.map((one, row) => (
          <div
            key={one.key}
            role="row"
            className={classes(
              'flex w-max min-w-full border-line',
              one.first ? 'border-t' : 'border-t border-dashed',
            )}
          >
            <div
              role="rowheader"
              className={classes(
                'figures sticky left-0 z-[5] flex shrink-0 items-center gap-1.5 bg-surface px-3 py-1.5 text-small text-muted',
                joined ? 'w-40' : 'w-24',
              )}
            >
              <span className="truncate" title={lineName(one)}>
                {lineName(one)}
              </span>
              {(wrongIn(one, '') || wrongCells.some((place) => place.row === row)) && (
                <CircleAlert aria-label="Problema na linha" className="size-3.5 text-danger" />
              )}
            </div>
            {columns.map(({ coluna, titulo, decimal }, place) => {
              const wrong = wrongIn(one, coluna)
              const error = wrong?.some(({ gravidade }) => gravidade === 'erro')
              const active = at.row === row && at.column === place
              const text = one.valores[coluna] ?? ''
              const read = decimal === null ? null : understood(text, decimal)
              return (
                <div
                  key={coluna}
                  role="gridcell"
                  data-cell={`${row} ${place}`}
                  tabIndex={active ? 0 : -1}
                  aria-selected={active}
                  aria-invalid={error || undefined}
                  aria-label={`Linha ${lineName(one)}, ${titulo}: ${text || 'vazia'}${wrong ? `. ${wrong.map(({ mensagem }) => mensagem).join('. ')}` : ''}`}
                  title={wrong?.map(({ mensagem }) => mensagem).join('\n')}
                  onFocus={() => setAt({ row, column: place })}
                  onDoubleClick={() => setTyped(text)}
                  className={classes(
                    'figures relative w-40 shrink-0 px-3 py-1.5 text-small focus:outline-2 focus:outline-offset-[-2px] focus:outline-accent',
                    error ? 'bg-danger-soft text-danger' : wrong ? 'bg-warn-soft text-warn' : '',
                    active && 'outline-1 outline-offset-[-1px] outline-accent',
                  )}
                >
                  {active && typed !== null ? (
                    <input
                      // biome-ignore lint/a11y/noAutofocus: the cell that is typed into
                      autoFocus
                      aria-label={`Novo valor da linha ${lineName(one)}, ${titulo}`}
                      value={typed}
                      disabled={busy}
                      onChange={(event) => setTyped(event.target.value)}
                      onBlur={() => typed !== null && put(typed)}
                      className="absolute inset-0 w-full bg-surface px-3 text-text"
                    />
                  ) : (
                    <span className="block truncate">
                      {text || (wrong ? '(vazia)' : '\u00a0')}
                      {read !== null && <span className="ml-1.5 opacity-70">= {read}</span>}
                    </span>
                  )}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <div
        className="flex min-h-24 flex-col gap-2 border-t border-line px-5 py-3 text-small"
        aria-live="polite"
      >
        {trial && line && (
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={STATES[trial.estado].tone}>{STATES[trial.estado].label}</Badge>
            <span className="figures text-muted">
              {column
                ? `${line.folha === null ? 'Linha' : `Folha ${line.folha}, linha`} ${formatNumber(line.linha, 0)}, coluna ${column.coluna.slice(column.coluna.lastIndexOf('!') + 1)} (${column.titulo})`
                : ''}
            </span>
            {wrongCells.length > 0 && (
              <Button
                size="small"
                onClick={() => {
                  const next = wrongCells.find(
                    (place) => place.row > at.row || (place.row === at.row && place.column > at.column),
                  )
                  focusAt(next ?? wrongCells[0] ?? at)
                }}
              >
                Próximo problema
              </Button>
            )}
            {trial.estado === 'erro' && trial.problemas.some(({ campo }) => campo === 'versao') && (
              <Button size="small" disabled={busy} onClick={() => onAnyway(trial.n)}>
                Atualizar mesmo assim
              </Button>
            )}
          </p>
        )}
        {[...here, ...ofRow].map((one) => (
          <div key={`${one.mensagem} ${one.celula}`} className="flex flex-wrap items-center gap-2">
            {one.gravidade === 'erro' ? (
              <CircleAlert aria-hidden className="size-4 text-danger" />
            ) : (
              <TriangleAlert aria-hidden className="size-4 text-warn" />
            )}
            <span>{one.mensagem}</span>
            {one.sugestao !== null && (
              <Button
                size="small"
                disabled={busy}
                onClick={() => {
                  put(one.sugestao ?? '')
                  focusAt(at)
                }}
              >
                {`Usar “${one.sugestao}”`}
              </Button>
            )}
            {like > 1 && one === told && (
              <Button
                size="small"
                disabled={busy}
                onClick={() => {
                  if (one.sugestao !== null) {
                    put(one.sugestao, true)
                    focusAt(at)
                  } else {
                    setForAll(true)
                    setTyped(valueAt(at))
                  }
                }}
              >
                {`Corrigir todas as ${formatNumber(like, 0)} células iguais`}
              </Button>
            )}
          </div>
        ))}
        {trial?.estado === 'atualizar' && (
          <ul className="flex flex-col gap-0.5">
            {trial.mudancas.slice(0, 12).map(({ campo, antes, depois }) => (
              <li key={campo} className="figures">
                <span className="text-muted">{importFieldLabel(campo)}:</span> {valueText(antes)} →{' '}
                <strong>{valueText(depois)}</strong>
              </li>
            ))}
            {trial.mudancas.length > 12 && (
              <li className="text-muted">{`e mais ${counted(trial.mudancas.length - 12, 'mudança', 'mudanças')}`}</li>
            )}
          </ul>
        )}
        {here.length === 0 && ofRow.length === 0 && trial?.estado !== 'atualizar' && (
          <p className="text-muted">
            Setas para andar, Enter para editar, Ctrl+V para colar um bloco, Ctrl+Z para desfazer.
          </p>
        )}
      </div>
    </div>
  )
}
