import { Link } from 'react-router'
import { paths } from '../shell/paths.ts'
import { useTitle } from '../shell/title.ts'
import { buttonClasses } from '../ui/Button.tsx'

export function NotFound() {
  useTitle('Página não encontrada')
  return (
    <main
      id="conteudo"
      className="page flex min-h-[60dvh] flex-col items-center justify-center gap-3 text-center"
    >
      <p className="figures text-display font-semibold text-faint">404</p>
      <h1 className="text-display font-semibold">Página não encontrada</h1>
      <p className="max-w-md text-muted">O endereço não existe ou mudou de lugar.</p>
      <Link to={paths.landing} className={buttonClasses('primary')}>
        Voltar ao início
      </Link>
    </main>
  )
}
