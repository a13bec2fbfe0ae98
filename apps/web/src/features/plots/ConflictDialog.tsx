import { type CellChange, type CellConflict, counted } from '@ensaio/domain'
import { ApiError } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { valueText } from './sheet-state.ts'

type Place = Pick<CellChange, 'parcela' | 'variavel' | 'avaliacao'>
/** A cell that somebody else wrote first: what stands there, and what is sent if one's own is to count. */
export type Clash = Place & { theirs: CellConflict['atual']; again: CellChange }

export const sameCell = (a: Place, b: Place): boolean =>
  a.parcela === b.parcela && a.variavel === b.variavel && a.avaliacao === b.avaliacao

/** The cells that a refused save names, beside one's own. */
export function clashesOf(error: unknown, mine: readonly CellChange[]): Clash[] {
  if (!(error instanceof ApiError) || error.code !== 'trial.stale') return []
  const { celulas = [] } = (error.current ?? {}) as { celulas?: CellConflict[] }
  return celulas.flatMap((cell) => {
    const own = mine.find((one) => sameCell(one, cell))
    return own ? [{ ...cell, theirs: cell.atual, again: { ...own, antes: cell.atual } }] : []
  })
}

const said = (value: CellConflict['atual']) =>
  value === null ? 'perdida' : typeof value === 'string' ? value : valueText(value)

/** Two people wrote into the same cells: one of them decides, seeing both. */
export function ConflictDialog({
  cells,
  busy,
  onClose,
  onMine,
  onTheirs,
}: {
  cells: readonly Clash[]
  busy: boolean
  onClose: () => void
  onMine: () => void
  onTheirs: () => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="As parcelas foram alteradas por outra pessoa depois que você as abriu"
      description={counted(cells.length, 'valor mudou dos dois lados', 'valores mudaram dos dois lados')}
      footer={
        <>
          <Button onClick={onTheirs}>Ficar com os da outra pessoa</Button>
          <Button variant="primary" busy={busy} onClick={onMine}>
            Gravar os meus
          </Button>
        </>
      }
    >
      <table className="figures w-full text-left">
        <thead>
          <tr className="text-small text-muted">
            <th className="py-1.5 font-medium">Parcela</th>
            <th className="py-1.5 text-right font-medium">Da outra pessoa</th>
            <th className="py-1.5 text-right font-medium">Meu</th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <tr key={`${cell.parcela}${cell.variavel}${cell.avaliacao}`} className="border-t border-line">
              <td className="py-1.5">
                {cell.parcela}{' '}
                <span className="text-muted">
                  {[cell.variavel, cell.avaliacao].filter(Boolean).join(', ')}
                </span>
              </td>
              <td className="py-1.5 text-right">{said(cell.theirs)}</td>
              <td className="py-1.5 text-right font-semibold">{said(cell.again.valor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
