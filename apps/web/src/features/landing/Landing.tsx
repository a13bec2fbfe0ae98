import { ChartColumn, FileSearch, MapPinned, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { useTitle } from '../../shell/title.ts'
import { buttonClasses } from '../../ui/Button.tsx'
import { useTheme } from '../../ui/theme.ts'

const PROMISES = [
  {
    icon: FileSearch,
    title: 'O relatório vira registro',
    text: 'Solte o PDF do ensaio: local, solo, tratamentos, doses, custos e produtividades saem dele, cada valor com a página e o trecho de onde veio.',
  },
  {
    icon: ChartColumn,
    title: 'A resposta antes da reunião',
    text: 'Filtre por regional, cultura, marca, ano, produto e consultoria. Os cartões, os gráficos e a tabela respondem juntos.',
  },
  {
    icon: MapPinned,
    title: 'Cada ensaio no seu lugar',
    text: 'Todos os municípios do Brasil, com coordenadas. Veja onde um protocolo deu retorno e onde ainda falta ensaio.',
  },
  {
    icon: ShieldCheck,
    title: 'Números com origem',
    text: 'Cada média mostra quantos experimentos a compõem, e cada mudança fica registrada: quem, quando, antes e depois.',
  },
]

export function Landing() {
  useTitle('Experimentos agrícolas de campo')
  const session = useSession()
  const [theme] = useTheme()
  const picture = theme === 'dark' ? '/dashboard-dark' : '/dashboard'
  return (
    <main id="conteudo">
      <section className="page grid items-center gap-10 py-14 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:py-20">
        <div className="flex flex-col items-start gap-5">
          <p className="text-small font-medium text-accent">Nutrição · Proteção · Adjuvantes</p>
          <h1 className="text-[clamp(2rem,4.5vw,3.25rem)] leading-[1.08] font-semibold tracking-tight">
            Seus ensaios de campo, prontos para responder
          </h1>
          <p className="max-w-xl text-title text-muted">
            Registre experimentos agrícolas ou leia relatórios em PDF automaticamente, e descubra o que produz
            e o que dá retorno em cada solo, cultura e região.
          </p>
          <div className="flex flex-wrap gap-3 pt-1">
            {session.status === 'in' ? (
              <Link to={paths.dashboard} className={buttonClasses('primary', 'large')}>
                Ir para o dashboard
              </Link>
            ) : (
              <>
                <Link to={paths.login} className={buttonClasses('primary', 'large')}>
                  Entrar
                </Link>
                <Link to={paths.register} className={buttonClasses('secondary', 'large')}>
                  Cadastrar
                </Link>
              </>
            )}
          </div>
        </div>
        <figure className="overflow-hidden rounded-xl border border-line bg-surface shadow-xl">
          <img
            src={`${picture}.webp`}
            srcSet={`${picture}-960.webp 960w, ${picture}.webp 1440w`}
            sizes="(width < 64rem) 92vw, 46rem"
            width="1440"
            height="960"
            alt="Dashboard do Ensaio com os cartões de resumo, filtros e gráficos de produtividade"
            className="block h-auto w-full"
            fetchPriority="high"
          />
        </figure>
      </section>
      <section aria-labelledby="o-que-faz" className="border-t border-line bg-surface">
        <div className="page py-14">
          <h2 id="o-que-faz" className="text-display font-semibold">
            Do relatório à decisão
          </h2>
          <ul className="mt-8 grid gap-x-10 gap-y-8 sm:grid-cols-2 xl:grid-cols-4">
            {PROMISES.map(({ icon: Icon, title, text }) => (
              <li key={title} className="flex flex-col gap-2">
                <Icon aria-hidden className="size-6 text-accent" />
                <h3 className="text-title font-semibold">{title}</h3>
                <p className="text-muted">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </main>
  )
}
