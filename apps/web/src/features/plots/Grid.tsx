import { holdsText } from '@ensaio/domain'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { classes } from '../../ui/classes.ts'
import { CellInput } from './CellInput.tsx'
import { blockOf } from './clipboard.ts'
import {
  type Cell,
  type Change,
  type Column,
  cellKey,
  complaintOf,
  type Draft,
  textsOf,
} from './sheet-state.ts'

const ROW = 36
const HEAD = 56
const COLUMN = 128
const PLACE = 232
const PAGE_ROWS = 15

type Props = {
  draft: Draft
  wrong: Readonly<Record<string, string>>
  columns: readonly Column[]
  /** Places of the plots in the sheet, in the order of the rows. */
  rows: readonly number[]
  names: readonly string[]
  readOnly: boolean
  at: Cell
  onAt: (cell: Cell) => void
  onType: (changes: readonly Change[]) => void
  onPaste: (block: string[][], at: Cell) => void
  onUndo: () => void
  onRedo: () => void
}

/** The plots as a spreadsheet: one tab stop, keys as everywhere, what is typed is shown as it was understood. */
export function Grid(props: Props) {
  const { draft, wrong, columns, rows, readOnly, at, onAt, onType } = props
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [corner, setCorner] = useState<Cell | null>(null)
  const [editing, setEditing] = useState<string | null>(null)
  /** After Esc the next Tab leaves the grid. */
  const [leaving, setLeaving] = useState(false)
  const lastRow = rows.length - 1
  const lastColumn = columns.length - 1
  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
    scrollPaddingStart: HEAD,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => frame.current,
    estimateSize: () => COLUMN,
    overscan: 3,
    scrollPaddingStart: PLACE,
  })
  // Where a link or a finding beside the grid chooses it; its own keys scroll by themselves.
  useEffect(() => {
    if (frame.current?.contains(document.activeElement)) return
    vertical.scrollToIndex(at.row)
    across.scrollToIndex(at.column)
  }, [at.row, at.column, vertical, across])
  const linked = useRef(at.row > 0 || at.column > 0)
  useEffect(() => {
    if (linked.current) frame.current?.focus()
  }, [])
  const texts = useMemo(() => columns.map((column) => textsOf(draft, column)), [draft, columns])
  const excluded = useMemo(
    () =>
      new Set(
        draft.exclusoes.map(
          ({ parcela, variavel, avaliacao }) => `${parcela} ${variavel ?? '*'} ${avaliacao ?? '*'}`,
        ),
      ),
    [draft.exclusoes],
  )
  const isOut = (row: number, { variable: { chave }, avaliacao }: Column) => {
    const plot = draft.parcelas[row]?.numero
    return [`${plot} * *`, `${plot} ${chave} *`, `${plot} ${chave} ${avaliacao ?? '*'}`].some((key) =>
      excluded.has(key),
    )
  }
  const textAt = ({ row, column }: Cell): string => {
    const [place, of] = [rows[row], columns[column]]
    if (place === undefined || !of) return ''
    return wrong[cellKey(of, place)] ?? texts[column]?.[place] ?? ''
  }

  const go = (row: number, column: number, { extend = false } = {}) => {
    const next = {
      row: Math.max(0, Math.min(lastRow, row)),
      column: Math.max(0, Math.min(lastColumn, column)),
    }
    if (extend) setCorner(corner ?? at)
    else setCorner(null)
    onAt(next)
    vertical.scrollToIndex(next.row)
    across.scrollToIndex(next.column)
  }
  const box = {
    top: Math.min(at.row, corner?.row ?? at.row),
    bottom: Math.max(at.row, corner?.row ?? at.row),
    left: Math.min(at.column, corner?.column ?? at.column),
    right: Math.max(at.column, corner?.column ?? at.column),
  }
  const eachChosen = <T,>(of: (row: number, column: Column, cell: Cell) => T): T[] => {
    const made: T[] = []
    for (let row = box.top; row <= box.bottom; row++)
      for (let column = box.left; column <= box.right; column++) {
        const [place, one] = [rows[row], columns[column]]
        if (place !== undefined && one) made.push(of(place, one, { row, column }))
      }
    return made
  }

  const mayType = !readOnly && columns[at.column]?.derived === false
  const finish = (move: (() => void) | null) => {
    const [row, column] = [rows[at.row], columns[at.column]]
    if (editing !== null && row !== undefined && column && editing !== textAt(at))
      onType([{ row, column, text: editing }])
    setEditing(null)
    frame.current?.focus({ preventScroll: true })
    move?.()
  }
  const clear = () => !readOnly && onType(eachChosen((row, column) => ({ row, column, text: '' })))
  const fillDown = () => {
    if (readOnly) return
    const [top, bottom] = box.top === box.bottom ? [box.top - 1, box.bottom] : [box.top, box.bottom]
    const changes: Change[] = []
    for (let column = box.left; column <= box.right; column++) {
      const of = columns[column]
      if (!of || top < 0) continue
      const text = textAt({ row: top, column })
      for (let row = top + 1; row <= bottom; row++) {
        const place = rows[row]
        if (place !== undefined) changes.push({ row: place, column: of, text })
      }
    }
    onType(changes)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (editing !== null) return
    const { key, shiftKey: extend, ctrlKey, metaKey, altKey } = event
    const control = ctrlKey || metaKey
    const move = (row: number, column: number) => () => go(row, column, { extend })
    const keys = new Map<string, () => void>([
      ['ArrowUp', move(control ? 0 : at.row - 1, at.column)],
      ['ArrowDown', move(control ? lastRow : at.row + 1, at.column)],
      ['ArrowLeft', move(at.row, control ? 0 : at.column - 1)],
      ['ArrowRight', move(at.row, control ? lastColumn : at.column + 1)],
      ['Home', move(control ? 0 : at.row, 0)],
      ['End', move(control ? lastRow : at.row, lastColumn)],
      ['PageUp', move(at.row - PAGE_ROWS, at.column)],
      ['PageDown', move(at.row + PAGE_ROWS, at.column)],
      ['Enter', () => go(at.row + (extend ? -1 : 1), at.column)],
      ['Delete', clear],
      ['Backspace', clear],
      ['F2', () => void (mayType && setEditing(textAt(at)))],
    ])
    if (key === 'Tab') {
      const place = at.row * columns.length + at.column + (extend ? -1 : 1)
      if (leaving || place < 0 || place >= rows.length * columns.length) return
      event.preventDefault()
      return go(Math.floor(place / columns.length), place % columns.length)
    }
    if (key === 'Escape') {
      setCorner(null)
      return setLeaving(true)
    }
    setLeaving(false)
    const wished =
      control && { z: extend ? props.onRedo : props.onUndo, y: props.onRedo, d: fillDown }[key.toLowerCase()]
    const work = wished || keys.get(key)
    if (work) {
      event.preventDefault()
      return work()
    }
    if (control && key.toLowerCase() === 'a') {
      event.preventDefault()
      setCorner({ row: 0, column: 0 })
      return onAt({ row: lastRow, column: lastColumn })
    }
    if (key.length === 1 && !control && !altKey && mayType) {
      event.preventDefault()
      setEditing(key)
    }
  }

  const onCopy = (event: ClipboardEvent, { cut = false } = {}) => {
    if (editing !== null) return
    event.preventDefault()
    const lines: string[] = []
    for (let row = box.top; row <= box.bottom; row++) {
      const cells: string[] = []
      for (let column = box.left; column <= box.right; column++) cells.push(textAt({ row, column }))
      lines.push(cells.join('\t'))
    }
    event.clipboardData.setData('text/plain', lines.join('\n'))
    if (cut) clear()
  }
  const onPaste = (event: ClipboardEvent) => {
    if (editing !== null || readOnly) return
    event.preventDefault()
    props.onPaste(blockOf(event.clipboardData.getData('text/plain')), { row: box.top, column: box.left })
  }
  const pick = (event: PointerEvent, cell: Cell) => {
    if (editing !== null) finish(null)
    go(cell.row, cell.column, { extend: event.shiftKey })
    frame.current?.focus({ preventScroll: true })
  }

  const shownColumns = across.getVirtualItems()
  const width = PLACE + across.getTotalSize()
  return (
    <div
      ref={frame}
      role="grid"
      tabIndex={0}
      aria-label="Valores por parcela"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-readonly={readOnly || undefined}
      aria-multiselectable
      aria-activedescendant={
        rows.length > 0 && columns.length > 0 ? `${id}-${at.row}-${at.column}` : undefined
      }
      aria-describedby={`${id}-keys`}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onCut={(event) => onCopy(event, { cut: !readOnly })}
      onPaste={onPaste}
      onFocus={() => setLeaving(false)}
      className="table-frame figures relative max-h-[70dvh] w-fit max-w-full overflow-auto rounded-md border border-line bg-surface select-none"
    >
      <p id={`${id}-keys`} className="sr-only">
        Setas movem, Enter desce, F2 edita, Delete marca como perdida, Ctrl+D preenche para baixo, Esc e
        depois Tab saem da grade.
      </p>
      <div style={{ width, height: HEAD + vertical.getTotalSize() }} className="relative">
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-20 flex bg-surface"
          style={{ height: HEAD, width }}
        >
          <div
            role="columnheader"
            aria-colindex={1}
            className="sticky left-0 z-10 flex items-end border-r border-b border-line bg-surface px-3 pb-2 text-small font-medium text-muted"
            style={{ width: PLACE }}
          >
            Parcela
          </div>
          {shownColumns.map(({ index, start }) => (
            <div
              key={columns[index]?.title}
              role="columnheader"
              aria-colindex={index + 2}
              title={columns[index]?.title}
              className="absolute flex items-end justify-end border-b border-line px-2 pb-2 text-right text-small font-medium text-muted"
              style={{ left: PLACE + start, width: COLUMN, height: HEAD }}
            >
              <span className="line-clamp-2">
                {columns[index]?.derived && <span title="calculada">ƒ </span>}
                {columns[index]?.title}
              </span>
            </div>
          ))}
        </div>
        {vertical.getVirtualItems().map(({ index, start }) => {
          const place = rows[index]
          const plot = place === undefined ? undefined : draft.parcelas[place]
          if (place === undefined || !plot) return null
          return (
            <div
              key={plot.numero}
              role="row"
              aria-rowindex={index + 2}
              className="absolute left-0 flex"
              style={{ top: HEAD + start, height: ROW, width }}
            >
              <div
                role="rowheader"
                aria-colindex={1}
                title={props.names[plot.tratamento - 1]}
                className="sticky left-0 z-10 flex items-center gap-2 truncate border-r border-b border-line bg-surface px-3 text-small"
                style={{ width: PLACE }}
              >
                <strong className="font-medium">{plot.numero}</strong>
                <span className="truncate text-muted">
                  {[
                    plot.bloco === null ? null : `bloco ${plot.bloco}`,
                    `T${plot.tratamento} ${props.names[plot.tratamento - 1] ?? ''}`.trim(),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </div>
              {shownColumns.map(({ index: column, start: left }) => {
                const of = columns[column]
                if (!of) return null
                const here = at.row === index && at.column === column
                const chosen =
                  index >= box.top && index <= box.bottom && column >= box.left && column <= box.right
                const bad = wrong[cellKey(of, place)]
                const out = isOut(place, of)
                const text = bad ?? texts[column]?.[place] ?? ''
                return (
                  <div
                    key={of.title}
                    id={`${id}-${index}-${column}`}
                    role="gridcell"
                    aria-colindex={column + 2}
                    aria-selected={chosen}
                    aria-invalid={bad !== undefined || undefined}
                    aria-readonly={of.derived || undefined}
                    title={bad === undefined ? (out ? 'Fora da análise' : undefined) : complaintOf(of, bad)}
                    onPointerDown={(event) => pick(event, { row: index, column })}
                    onDoubleClick={() => mayType && setEditing(textAt({ row: index, column }))}
                    className={classes(
                      'absolute flex items-center justify-end overflow-hidden border-r border-b border-line px-2 whitespace-nowrap',
                      chosen && 'bg-accent-soft',
                      here && 'outline-2 -outline-offset-2 outline-accent',
                      bad !== undefined && 'bg-danger-soft text-danger',
                      out && 'text-muted line-through',
                      of.derived && 'text-muted italic',
                    )}
                    style={{ left: PLACE + left, width: COLUMN, height: ROW }}
                  >
                    {here && editing !== null ? (
                      <CellInput
                        text={editing}
                        words={holdsText(of.variable)}
                        label={`${of.title}, parcela ${plot.numero}`}
                        onText={setEditing}
                        onCancel={() => {
                          setEditing(null)
                          frame.current?.focus({ preventScroll: true })
                        }}
                        onDone={(key, back) => {
                          if (key === 'Enter') finish(() => go(at.row + (back ? -1 : 1), at.column))
                          else if (key === 'Tab') finish(() => go(at.row, at.column + (back ? -1 : 1)))
                          else finish(null)
                        }}
                      />
                    ) : (
                      <span className="truncate">{text}</span>
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
