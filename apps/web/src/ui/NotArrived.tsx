import { Button } from './Button.tsx'
import { classes } from './classes.ts'

/** A page and a part stand where they would have stood; what lies over the page says so at its foot. */
export type Place = 'page' | 'part' | 'over'

/** Says that a part did not come; the button tries again. */
export function NotArrived({ place, busy, onRetry }: { place: Place; busy?: boolean; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className={classes(
        'flex flex-wrap items-center justify-center gap-3 rounded-md p-4 text-center',
        place === 'page' && 'page min-h-[60dvh] flex-col',
        place === 'part' && 'h-full min-h-24 bg-sunken',
        place === 'over' &&
          'fixed inset-x-4 bottom-4 z-50 mx-auto max-w-xl border border-line bg-surface shadow-lg',
      )}
    >
      <p className="text-small text-muted">
        Não foi possível carregar esta parte do sistema. Verifique a conexão com a internet.
      </p>
      <Button size="small" busy={busy ?? false} onClick={onRetry}>
        Tentar novamente
      </Button>
    </div>
  )
}
