import { counted, type Experiment, importPlots, type SheetAnswer, walkOrder } from '@ensaio/domain'
import { Columns3, MapIcon, Redo2, Save, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError, call, open, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { problemsOf } from '../../shell/problems.ts'
import { useUnsent } from '../../shell/Unsent.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Select } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.tsx'
import { CellPanel } from './CellPanel.tsx'
import { ColumnsDialog } from './ColumnsDialog.tsx'
import { type Clash, ConflictDialog, clashesOf, sameCell } from './ConflictDialog.tsx'
import { changedCells, changedWords } from './changed-cells.ts'
import { byPlace, saysWhere } from './clipboard.ts'
import { FieldSheet } from './FieldSheet.tsx'
import { Grid } from './Grid.tsx'
import { ImportPlots } from './ImportPlots.tsx'
import { type Differing, differing, MeansDialog, unsigned } from './MeansDialog.tsx'
import { MeansTable } from './MeansTable.tsx'
import { OnePlot } from './OnePlot.tsx'
import { PasteDialog, type Pasted } from './PasteDialog.tsx'
import { SheetAdvice } from './SheetAdvice.tsx'
import { SheetMap } from './SheetMap.tsx'
import { FileMenu, Notices } from './SheetParts.tsx'
import {
  asInput,
  type Cell,
  type Column,
  change,
  columnsOf,
  DESIGN_OPTIONS,
  type Draft,
  type EditDecision,
  filled,
  redo,
  type State,
  type as typeInto,
  undo,
} from './sheet-state.ts'
import { useSheet } from './use-sheet.ts'

type Props = {
  experiment: Experiment
  stored: Draft
  means: SheetAnswer['medias']
  edit: EditDecision
  isNew?: boolean
  onCancel?: () => void
}

const ORDERS = [
  { value: 'campo', label: 'Ordem do campo' },
  { value: 'tratamento', label: 'Por tratamento' },
]

/** The cell that the address names; the first one where it names none. */
function cellIn(
  search: URLSearchParams,
  { draft, columns, rows }: { draft: Draft; columns: readonly Column[]; rows: readonly number[] },
): Cell {
  const number = Number(search.get('parcela'))
  const row = rows.findIndex((at) => draft.parcelas[at]?.numero === number)
  const column = columns.findIndex(
    ({ variable, avaliacao }) =>
      variable.chave === search.get('variavel') && avaliacao === search.get('avaliacao'),
  )
  return { row: Math.max(0, row), column: Math.max(0, column) }
}

/** The sheet: its grid, its columns, where its plots lie, and what is done with all of it. */
export function SheetEditor({ experiment, stored, means, edit, isNew = false, onCancel }: Props) {
  const sheet = useSheet(experiment.id, stored)
  const { state, setState, dirty } = sheet
  const { draft } = state
  const [linked] = useSearchParams()
  const [chosen, setAt] = useState<Cell | null>(null)
  const [order, setOrder] = useState('campo')
  const [view, setView] = useState<'grid' | 'map' | 'import' | 'print'>('grid')
  const [columnsOpen, setColumnsOpen] = useState(false)
  const [pasted, setPasted] = useState<Pasted | null>(null)
  const [asked, setAsked] = useState<Differing[] | null>(null)
  const [conflicts, setConflicts] = useState<Clash[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [removing, setRemoving] = useState(false)
  const unsent = useUnsent()
  // What is typed while a save runs would be gone with its answer.
  const readOnly = !edit.allowed || busy
  const columns = useMemo(() => columnsOf(draft), [draft])
  const rows = useMemo(() => {
    const walked = walkOrder(draft.parcelas, draft.croqui?.serpentina ?? false)
    if (order === 'campo') return walked
    return [...walked].sort(
      (a, b) => (draft.parcelas[a]?.tratamento ?? 0) - (draft.parcelas[b]?.tratamento ?? 0),
    )
  }, [draft.parcelas, draft.croqui, order])
  // Where a link leads to, until another one is chosen.
  const at = chosen ?? cellIn(linked, { draft, columns, rows })
  const wrong = Object.keys(state.wrong).length
  const set = (next: (before: State) => State) => setState(next)

  /** Cells alone are merged with what others saved; of the same cell a person decides. */
  const save = async ({
    answered = false,
    over = [],
  }: {
    answered?: boolean
    over?: readonly Clash[]
  } = {}) => {
    setProblems([])
    const others = isNew || means.length === 0 ? differing(unsigned(draft), experiment) : []
    if (others.length > 0 && !answered) return setAsked(others)
    setAsked(null)
    setConflicts(null)
    setBusy(true)
    const params = { id: experiment.id }
    try {
      const cells = isNew ? null : changedCells(sheet.base, draft)
      if (cells) {
        const celulas = cells.map((cell) => over.find((one) => sameCell(one, cell))?.again ?? cell)
        if (celulas.length > 0)
          await call('patchCells', { params, body: { versao: sheet.base.versao, celulas } })
        sheet.saved((await call('getPlots', { params })).ficha)
      } else {
        const { ficha } = await call('putPlots', { params, body: asInput(draft) })
        const celulas = changedWords(sheet.base, draft)
        if (celulas.length === 0) sheet.saved(ficha)
        else {
          // Where they are refused, what is saved is saved, and they are sent again by themselves.
          sheet.savedButWords(ficha)
          await call('patchCells', { params, body: { versao: ficha.versao, celulas } })
          sheet.saved((await call('getPlots', { params })).ficha)
        }
      }
      toast.success('Parcelas salvas')
      await experimentsChanged()
    } catch (error) {
      const clashes = clashesOf(error, changedCells(sheet.base, draft) ?? [])
      if (clashes.length > 0) setConflicts(clashes)
      else if (error instanceof ApiError && error.code === 'trial.stale')
        setProblems([
          `${error.message}. O que você digitou continua aqui; compare com a outra versão antes de descartar.`,
        ])
      else setProblems(Object.values(problemsOf(error)))
    } finally {
      setBusy(false)
    }
  }
  const stopRemoving = () => {
    setRemoving(false)
    unsent.forget()
  }
  const remove = async () => {
    if (!unsent.meant()) return
    setBusy(true)
    try {
      await call('deletePlots', { params: { id: experiment.id }, query: unsent.query() })
      sheet.discard()
      toast.success('Parcelas excluídas')
      await experimentsChanged()
      stopRemoving()
    } catch (error) {
      if (unsent.told(error)) return
      setProblems([reasonOf(error)])
      stopRemoving()
    } finally {
      setBusy(false)
    }
  }
  const file = async (query: Record<string, string>, name: string) => {
    try {
      const answer = await open('exportPlots', { params: { id: experiment.id }, query: query as never })
      downloadBlob(name, await answer.blob())
    } catch (error) {
      toast.error('O arquivo não pôde ser baixado', reasonOf(error))
    }
  }
  const paste = (block: string[][], cell: Cell) => {
    const changes = byPlace(block, cell, { rows, columns })
    const matched = saysWhere(block)
      ? importPlots({
          rows: block,
          map: null,
          sheet: unsigned(draft),
          treatments: experiment.tratamentos.map(({ nome }) => nome),
        })
      : null
    setPasted({ changes, matched })
  }

  if (view === 'print')
    return (
      <FieldSheet experiment={experiment} draft={draft} columns={columns} onBack={() => setView('grid')} />
    )
  if (view === 'import') return <ImportPlots experiment={experiment} onCancel={() => setView('grid')} />
  return (
    <div className="flex flex-col gap-4">
      <LeaveGuard
        unsaved={() => dirty && !sheet.outlasts}
        leaves={(from, to) => from.pathname !== to.pathname}
        title="Sair sem salvar?"
        message="Este navegador não guarda rascunhos: o que foi digitado nas parcelas se perde."
        confirmLabel="Sair"
      />
      <Notices sheet={sheet} edit={edit} problems={problems} />
      <div className="no-print flex flex-wrap items-center gap-2">
        <Select
          aria-label="Delineamento"
          className="max-w-64"
          value={draft.delineamento}
          disabled={readOnly}
          options={DESIGN_OPTIONS}
          onChange={(event) =>
            set((before) => change(before, { delineamento: event.target.value as Draft['delineamento'] }))
          }
        />
        <Select
          aria-label="Ordem das parcelas"
          className="max-w-44"
          value={order}
          options={ORDERS}
          onChange={(event) => setOrder(event.target.value)}
        />
        <Button icon={<Columns3 aria-hidden className="size-4" />} onClick={() => setColumnsOpen(true)}>
          Colunas
        </Button>
        <Button
          icon={<MapIcon aria-hidden className="size-4" />}
          aria-pressed={view === 'map'}
          onClick={() => setView(view === 'map' ? 'grid' : 'map')}
        >
          {view === 'map' ? 'Grade' : 'Croqui'}
        </Button>
        <IconButton label="Desfazer" disabled={state.past.length === 0} onClick={() => set(undo)}>
          <Undo2 aria-hidden />
        </IconButton>
        <IconButton label="Refazer" disabled={state.future.length === 0} onClick={() => set(redo)}>
          <Redo2 aria-hidden />
        </IconButton>
        <span className="flex-1" />
        {!isNew && (
          <FileMenu
            onFile={file}
            onPrint={() => setView('print')}
            onImport={readOnly || dirty ? null : () => setView('import')}
            onRemove={readOnly ? null : () => setRemoving(true)}
          />
        )}
        {onCancel && <Button onClick={onCancel}>Voltar</Button>}
        {edit.allowed && (
          <Button
            variant="primary"
            icon={<Save aria-hidden className="size-4" />}
            busy={busy}
            disabled={wrong > 0 || (!dirty && !isNew)}
            title={wrong > 0 ? 'Corrija os valores marcados' : undefined}
            onClick={() => void save()}
          >
            Salvar parcelas
          </Button>
        )}
      </div>
      <p className="figures text-small text-muted" aria-live="polite">
        {counted(draft.parcelas.length, 'parcela', 'parcelas')} · {counted(filled(draft), 'valor', 'valores')}
        {dirty && ' · alterações não salvas'}
        {wrong > 0 && (
          <span className="text-danger">
            {' '}
            · {counted(wrong, 'valor não entendido', 'valores não entendidos')}
          </span>
        )}
      </p>
      {view === 'map' ? (
        <SheetMap
          experiment={experiment}
          draft={draft}
          columns={columns}
          onNorth={readOnly ? null : (norte) => set((before) => change(before, { norte }))}
        />
      ) : (
        <div className="flex flex-wrap items-start gap-4">
          <div className="hidden max-w-full sm:block">
            <Grid
              draft={draft}
              wrong={state.wrong}
              columns={columns}
              rows={rows}
              names={experiment.tratamentos.map(({ nome }) => nome)}
              readOnly={readOnly}
              at={{
                row: Math.min(at.row, rows.length - 1),
                column: Math.min(at.column, Math.max(0, columns.length - 1)),
              }}
              onAt={setAt}
              onType={(changes) => set((before) => typeInto(before, changes))}
              onPaste={paste}
              onUndo={() => set(undo)}
              onRedo={() => set(redo)}
            />
          </div>
          <div className="w-full sm:hidden">
            <OnePlot
              experiment={experiment}
              state={state}
              columns={columns}
              rows={rows}
              at={at.row}
              readOnly={readOnly}
              onAt={(row) => setAt({ row, column: at.column })}
              onType={(changes) => set((before) => typeInto(before, changes))}
            />
          </div>
          <div className="flex min-w-0 flex-1 basis-96 flex-col gap-4">
            <CellPanel
              experiment={experiment}
              draft={draft}
              column={columns[at.column]}
              place={rows[at.row]}
              readOnly={readOnly}
              onChange={(part) => set((before) => change(before, part))}
            />
            <SheetAdvice experiment={experiment} draft={draft} columns={columns} rows={rows} onAt={setAt} />
            <MeansTable experiment={experiment} draft={draft} means={means} />
          </div>
        </div>
      )}
      {columnsOpen && (
        <ColumnsDialog
          draft={draft}
          experiment={experiment}
          readOnly={readOnly}
          onClose={() => setColumnsOpen(false)}
          onChange={(part) => {
            set((before) => change(before, part))
            setColumnsOpen(false)
          }}
        />
      )}
      {pasted && (
        <PasteDialog
          pasted={pasted}
          onClose={() => setPasted(null)}
          onPlace={(changes) => {
            set((before) => typeInto(before, changes))
            setPasted(null)
          }}
          onSheet={(part) => {
            set((before) => change(before, part))
            setPasted(null)
          }}
        />
      )}
      {asked && (
        <MeansDialog
          experiment={experiment}
          rows={asked}
          busy={busy}
          onClose={() => setAsked(null)}
          onUse={() => void save({ answered: true })}
        />
      )}
      {conflicts && (
        <ConflictDialog
          cells={conflicts}
          busy={busy}
          onClose={() => setConflicts(null)}
          onMine={() => void save({ over: conflicts })}
          onTheirs={() => {
            setConflicts(null)
            sheet.discard()
            void experimentsChanged()
          }}
        />
      )}
      <ConfirmDialog
        open={removing}
        title="Excluir as parcelas?"
        message="Os valores por parcela são excluídos; as médias do experimento e as análises registradas ficam."
        confirmLabel={unsent.confirmLabel}
        busy={busy}
        onCancel={() => !busy && stopRemoving()}
        onConfirm={remove}
      >
        {unsent.banner}
      </ConfirmDialog>
    </div>
  )
}
