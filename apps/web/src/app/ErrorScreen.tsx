import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '../ui/Button.tsx'

/** What stands in for a page that failed to draw itself. */
export function ErrorScreen() {
  const error = useRouteError()
  useEffect(() => {
    console.error(error)
  }, [error])
  return (
    <main className="page flex min-h-[70dvh] flex-col items-center justify-center gap-4 text-center">
      <h1 className="text-display font-semibold">Algo deu errado</h1>
      <p className="max-w-md text-muted">
        A página encontrou um erro inesperado. O que você já salvou está guardado.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => location.reload()}>
          Recarregar página
        </Button>
        <Button onClick={() => location.assign('/')}>Tentar novamente</Button>
      </div>
    </main>
  )
}
