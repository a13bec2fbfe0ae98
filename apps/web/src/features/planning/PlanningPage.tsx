import { useTitle } from '../../shell/title.ts'
import { LayoutDraw } from './LayoutDraw.tsx'
import { Power } from './Power.tsx'

/** Before the trial: how many repetitions, and where each plot goes. */
export function PlanningPage() {
  useTitle('Planejamento')
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header>
        <h1 className="text-display font-semibold">Planejamento</h1>
        <p className="text-muted">Quantas repetições bastam, e o sorteio do croqui</p>
      </header>
      <Power />
      <LayoutDraw />
    </div>
  )
}
