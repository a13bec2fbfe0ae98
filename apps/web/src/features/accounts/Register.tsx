import {
  REGISTER_REDIRECT_MS,
  REGISTRATION_ROLES,
  type RegistrationForm,
  ROLE_NAMES,
  type Role,
  registrationProblems,
} from '@ensaio/domain'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { loadAuth, loadAuthAhead } from '../../api/auth.ts'
import { rememberSession } from '../../api/kept-session.ts'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Checkbox, Input, PasswordInput, Select } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { AccountPage, AlreadyIn, textLink } from './AccountPage.tsx'

const FAILED = 'Erro ao criar conta. Tente novamente.'
/** `form`: of no field in particular. */
type Shown = Partial<Record<keyof RegistrationForm | 'form', string>>

export function Register() {
  useTitle('Cadastrar')
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [search] = useSearchParams()
  /** An invitation to the address proves it and leads to its organisation. */
  const convite = search.get('convite') ?? undefined
  const [values, setValues] = useState<RegistrationForm>({
    name: '',
    email: search.get('email') ?? '',
    password: '',
    confirmation: '',
    terms: false,
  })
  const [company, setCompany] = useState('')
  const [role, setRole] = useState<Role>('user')
  const [errors, setErrors] = useState<Shown>({})
  const [state, setState] = useState<'idle' | 'busy' | 'in' | 'confirm'>('idle')

  const set = (part: Partial<RegistrationForm>) => setValues((before) => ({ ...before, ...part }))

  useEffect(() => {
    if (state !== 'in') return
    const timer = setTimeout(() => navigate(paths.dashboard, { replace: true }), REGISTER_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [state, navigate])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const problems = registrationProblems(values)
    setErrors(problems)
    const [first] = Object.keys(problems)
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    if (state !== 'idle') return
    setState('busy')
    try {
      rememberSession(false)
      const { auth, authErrorSentence } = await loadAuth()
      const { data, error: failure } = await auth.signUp({
        email: values.email.trim(),
        password: values.password,
        options: {
          data: {
            name: values.name.trim(),
            company: company.trim() || undefined,
            requested_role: role,
            convite,
          },
        },
      })
      // An address that is registered already is treated as success and opens no session.
      const known = failure?.code === 'user_already_exists'
      if (failure && !known) {
        const badAddress = failure?.code === 'validation_failed'
        setErrors(badAddress ? { email: 'Email inválido' } : { form: authErrorSentence(failure, FAILED) })
        setState('idle')
      } else setState(data.session || known ? 'in' : 'confirm')
    } catch {
      setErrors({ form: FAILED })
      setState('idle')
    }
  }

  if (state === 'confirm') {
    return (
      <AccountPage title="Conta criada com sucesso!" subtitle="Falta só confirmar o seu email.">
        <p>
          Enviamos um link para <strong>{values.email.trim()}</strong>. Abra-o para ativar a conta e depois
          entre com a sua senha.
        </p>
        <Link to={paths.login} className={textLink}>
          Ir para a página de entrada
        </Link>
      </AccountPage>
    )
  }

  return (
    <AccountPage title="Criar conta" subtitle="Registre seus experimentos e aprenda com eles.">
      <form ref={form} noValidate onSubmit={submit} onInput={loadAuthAhead} className="flex flex-col gap-4">
        {state === 'idle' && <AlreadyIn />}
        {errors.form && <Banner tone="danger">{errors.form}</Banner>}
        {state === 'in' && <Banner tone="ok">Conta criada com sucesso! Redirecionando...</Banner>}
        <Field label="Nome completo" required error={errors.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="name"
              value={values.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Email" required error={errors.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="email"
              placeholder="voce@empresa.com.br"
              value={values.email}
              onChange={(event) => set({ email: event.target.value })}
            />
          )}
        </Field>
        <Field label="Empresa" help="Opcional.">
          {(control) => (
            <Input
              {...control}
              name="company"
              autoComplete="organization"
              maxLength={100}
              value={company}
              onChange={(event) => setCompany(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Tipo de usuário"
          help={
            role === 'user'
              ? undefined
              : 'A conta começa como Usuário Padrão; um administrador recebe o seu pedido e decide.'
          }
        >
          {(control) => (
            <Select
              {...control}
              name="role"
              value={role}
              onChange={(event) => setRole(event.target.value as Role)}
              options={REGISTRATION_ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
            />
          )}
        </Field>
        <Field label="Senha" required error={errors.password} help="Pelo menos 6 caracteres.">
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              value={values.password}
              onChange={(event) => set({ password: event.target.value })}
            />
          )}
        </Field>
        <Field label="Confirmar senha" required error={errors.confirmation}>
          {(control) => (
            <PasswordInput
              {...control}
              name="confirmation"
              autoComplete="new-password"
              value={values.confirmation}
              onChange={(event) => set({ confirmation: event.target.value })}
            />
          )}
        </Field>
        <div className="flex flex-col gap-1.5">
          <Checkbox
            name="terms"
            checked={values.terms}
            aria-invalid={errors.terms ? true : undefined}
            aria-describedby={errors.terms ? 'terms-error' : undefined}
            onChange={(event) => set({ terms: event.target.checked })}
            label={
              <>
                Li e aceito os{' '}
                <Link to={paths.terms} target="_blank" className={textLink}>
                  termos de uso
                </Link>{' '}
                e a{' '}
                <Link to={paths.privacy} target="_blank" className={textLink}>
                  política de privacidade
                </Link>
              </>
            }
          />
          <FieldError id="terms-error" message={errors.terms} />
        </div>
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={state === 'busy'}
          disabled={state === 'in'}
        >
          Cadastrar
        </Button>
      </form>
      <p className="text-center text-small text-muted">
        Já tem conta?{' '}
        <Link to={paths.login} className={textLink}>
          Entrar
        </Link>
      </p>
    </AccountPage>
  )
}
