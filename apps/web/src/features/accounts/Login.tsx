import { LOGIN_REDIRECT_MS } from '@ensaio/domain'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { paths, returnPath } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Banner } from '../../ui/Surface.tsx'
import { AlreadyIn, textLink } from './AccountPage.tsx'
import { SignIn } from './SignIn.tsx'

export function Login() {
  useTitle('Entrar')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [done, setDone] = useState(false)
  const next = returnPath(search)

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate(next, { replace: true }), LOGIN_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [done, next, navigate])

  return (
    <SignIn
      title="Entrar"
      subtitle="Acesse seus experimentos e relatórios."
      email={search.get('email') ?? ''}
      done={done}
      onDone={() => setDone(true)}
      before={
        done ? (
          <Banner tone="ok">Login realizado com sucesso! Redirecionando...</Banner>
        ) : (
          (busy) => !busy && <AlreadyIn />
        )
      }
    >
      <p className="text-center text-small text-muted">
        Ainda não tem conta?{' '}
        <Link to={paths.register} className={textLink}>
          Cadastrar
        </Link>
      </p>
    </SignIn>
  )
}
