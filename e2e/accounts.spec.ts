import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'

const login = async (page: Page, email: string, password: string) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

test('the login form asks for both fields and an address', async ({ page }) => {
  await page.goto('/login')
  const submit = page.getByRole('button', { name: 'Entrar', exact: true })
  await submit.click()
  await expect(page.getByText('Por favor, preencha todos os campos')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('ana@campo.com.br')
  await submit.click()
  await expect(page.getByLabel('Senha', { exact: true })).toBeFocused()
  await page.getByLabel('Email').fill('ana')
  await page.getByLabel('Senha', { exact: true }).fill('x')
  await submit.click()
  await expect(page.getByText('Por favor, insira um email válido')).toBeVisible()
})

test('a wrong password and an unknown address read the same', async ({ page, person, allowed }) => {
  allowed.push('/auth/v1/token')
  await login(page, person.email, 'errada-123')
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible()
  await login(page, 'ninguem@campo.com.br', 'errada-123')
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible()
})

test('the password can be shown and hidden', async ({ page }) => {
  await page.goto('/login')
  const password = page.getByLabel('Senha', { exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Mostrar senha' }).click()
  await expect(password).toHaveAttribute('type', 'text')
})

test('every field of the registration is called by its name alone', async ({ page }) => {
  await page.goto('/register')
  for (const name of ['Nome completo', 'Email', 'Empresa', 'Tipo de usuário', 'Senha', 'Confirmar senha'])
    await expect(page.getByLabel(name, { exact: true })).toHaveCount(1)
})

test('who is signed in already is told so at the door', async ({ signedIn: page, person }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page.getByText(`Você já entrou como ${person.email}.`)).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Ir para o dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('signing in leads to the page that was wanted, signing out to the start', async ({ page, person }) => {
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Senha', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByText('Login realizado com sucesso! Redirecionando...')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Editar Perfil' })).toBeVisible()
  await page.getByRole('button', { name: 'Menu do usuário' }).click()
  await expect(page.getByRole('menu')).toContainText(person.email)
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login/)
})

for (const [field, fill, sentence] of [
  ['nothing', {}, 'Por favor, preencha todos os campos obrigatórios'],
  ['name', { name: 'A' }, 'O nome deve ter pelo menos 2 caracteres'],
  ['email', { email: 'ana' }, 'Por favor, insira um email válido'],
  ['password', { password: '12345', confirmation: '12345' }, 'A senha deve ter pelo menos 6 caracteres'],
  ['confirmation', { confirmation: 'outra-senha' }, 'As senhas não coincidem'],
  ['terms', {}, 'Aceite os termos de uso para criar a conta'],
] as const) {
  test(`registration refuses by ${field}`, async ({ page }) => {
    await page.goto('/register')
    const values = {
      name: 'Ana',
      email: 'ana@campo.com.br',
      password: 'sementes',
      confirmation: 'sementes',
      ...fill,
    }
    if (field !== 'nothing') {
      await page.getByLabel('Nome completo').fill(values.name)
      await page.getByLabel('Email').fill(values.email)
      await page.getByLabel('Senha', { exact: true }).fill(values.password)
      await page.getByLabel('Confirmar senha').fill(values.confirmation)
    }
    await page.getByRole('button', { name: 'Cadastrar' }).click()
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page).toHaveURL(/\/register/)
  })
}

test('every failing field of the registration has its sentence at once', async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('Email').fill('ana')
  await page.getByLabel('Senha', { exact: true }).fill('123')
  await page.getByLabel('Confirmar senha').fill('1234')
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  for (const sentence of [
    'Por favor, preencha todos os campos obrigatórios',
    'Por favor, insira um email válido',
    'A senha deve ter pelo menos 6 caracteres',
    'As senhas não coincidem',
    'Aceite os termos de uso para criar a conta',
  ])
    await expect(page.getByText(sentence)).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
})

test('a forgotten password is set anew by the mailed link', async ({ page, person, server }) => {
  await page.goto('/forgot-password')
  await page.getByRole('button', { name: 'Enviar link de recuperação' }).click()
  await expect(page.getByText('Este campo é obrigatório')).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Enviar link de recuperação' }).click()
  await expect(page.getByText('Email de recuperação enviado! Verifique sua caixa de entrada.')).toBeVisible()
  type Mail = { to: string; type: string; token_hash: string }
  const recovery = async () => {
    const mails = (await (await fetch(`${server.url}/__outbox`)).json()) as Mail[]
    return mails.findLast(({ to, type }) => to === person.email && type === 'recovery')
  }
  await expect.poll(recovery).toBeTruthy()
  await page.goto(`/reset-password?token_hash=${(await recovery())?.token_hash}`)
  await page.getByLabel('Nova senha', { exact: true }).fill('colheita-2027')
  await page.getByLabel('Confirmar nova senha').fill('colheita-2027')
  await page.getByRole('button', { name: 'Salvar nova senha' }).click()
  await expect(page.getByText('Senha redefinida com sucesso!')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('a used or expired link says so at once and offers a new one', async ({ page, person, server }) => {
  await page.goto(`/reset-password?token_hash=${'0'.repeat(48)}`)
  await expect(page.getByText('O link de recuperação já foi usado ou expirou.')).toBeVisible()
  await expect(page.getByLabel('Nova senha', { exact: true })).toBeHidden()
  await page.getByRole('link', { name: 'Pedir um novo link' }).click()
  await expect(page).toHaveURL(/\/forgot-password/)

  // A link of another letter comes back by way of the server.
  await page.goto(
    `${server.url}/auth/v1/verify?token=${'0'.repeat(48)}&type=signup&redirect_to=${server.url}`,
  )
  await expect(page.getByText('Este link já foi usado ou expirou')).toBeVisible()
  await page.getByLabel('Email da conta').fill(person.email)
  await page.getByRole('button', { name: 'Enviar novo link' }).click()
  await expect(page.getByText(/um novo link está a caminho/)).toBeVisible()
  await expectAccessible(page)
})

test('the profile is edited, and another role becomes a request', async ({ signedIn: page }) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Editar', exact: true }).click()
  await page.getByLabel('Nome').fill('Ana Maria Souza')
  await page.getByLabel('Tipo de usuário').selectOption('Administrador')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByText('Perfil atualizado com sucesso!')).toBeVisible()
  await expect(
    page.getByText('Sua solicitação de mudança de papel foi enviada a um administrador.'),
  ).toBeVisible()
  await expect(page.getByText('Administrador solicitado')).toBeVisible()
  await expect(page.getByRole('button', { name: /Menu do usuário: Ana Maria Souza/ })).toBeVisible()
  await expectAccessible(page)
})

test('a session ended elsewhere asks for the password in place', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('401', '/auth/v1/token')
  await page.goto('/profile')
  await expect(page.getByText('Sessões ativas')).toBeVisible()
  await fetch(`${server.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
  })
  await page.getByRole('button', { name: 'Baixar meus dados' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' })
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Senha', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Entrar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Editar Perfil' })).toBeVisible()
})

test('a token that the server does not take is renewed, or the password is asked for in place', async ({
  signedIn: page,
  person,
  allowed,
}) => {
  allowed.push('401', '/auth/v1/token')
  const spoil = (field: string) =>
    page.evaluate((name) => {
      const session = JSON.parse(localStorage.getItem('ensaio.auth.token') ?? '{}')
      localStorage.setItem('ensaio.auth.token', JSON.stringify({ ...session, [name]: 'a.b.c' }))
    }, field)
  await page.goto('/profile')
  const email = page.getByRole('main').getByText(person.email).first()
  await expect(email).toBeVisible()
  await spoil('access_token')
  await page.reload()
  await expect(email).toBeVisible()
  await spoil('access_token')
  await spoil('refresh_token')
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'Sua sessão expirou' })).toBeVisible()
})

test('an authenticator app is enrolled and asked for at the next login', async ({
  signedIn: page,
  person,
}) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Adicionar aplicativo autenticador' }).click()
  await expect(page.getByAltText('Código QR para o aplicativo autenticador')).toBeVisible()
  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByLabel('Código mostrado pelo aplicativo').fill(totp(secret, 0))
  await page.getByRole('button', { name: 'Ativar' }).click()
  await expect(page.getByText('Aplicativo autenticador cadastrado')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/')
  await login(page, person.email, person.password)
  await expect(page.getByRole('heading', { name: 'Segundo fator' })).toBeVisible()
  // Loaded anew, nothing is asked for that this session may not have.
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Segundo fator' })).toBeVisible()
  // The code just used is refused a second time: the next one is within the allowed skew.
  await page.getByLabel('Código de 6 dígitos').fill(totp(secret, 1))
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
})

/** RFC 6238 with SHA-1, 6 digits, 30 s; `ahead` counts steps from now. */
function totp(secret: string, ahead: number): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

for (const theme of ['light', 'dark'] as const) {
  for (const path of [
    '/',
    '/login',
    '/register',
    '/forgot-password',
    '/termos-de-uso',
    '/politica-privacidade',
    '/ajuda',
    '/nada',
  ]) {
    test(`axe finds nothing on ${path} in the ${theme} theme`, async ({ page, allowed }) => {
      if (path === '/nada') allowed.push('404 GET')
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page)
    })
  }
}

test('the picture of the start is asked for ahead of the application, once, and in its size', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.webp')) asked.push(new URL(request.url()).pathname)
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  await expect(page.getByRole('img', { name: /Dashboard do Ensaio/ })).toBeVisible()
  await page.waitForTimeout(500)
  expect(asked).toEqual(['/dashboard-dark-960.webp'])
  const from = await page.evaluate(() => {
    const entry = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.webp'))
    return entry instanceof PerformanceResourceTiming ? entry.initiatorType : ''
  })
  expect(from).toBe('link')
})

test('an unknown address says so and leads back', async ({ page, allowed }) => {
  allowed.push('404 GET')
  await page.goto('/nao-existe')
  await expect(page.getByRole('heading', { name: 'Página não encontrada' })).toBeVisible()
  await page.getByRole('link', { name: 'Voltar ao início' }).click()
  await expect(page).toHaveURL('/')
})

test('an erased account cannot sign in again', async ({ signedIn: page, person, allowed }) => {
  // What was being asked at that moment is refused, too.
  allowed.push('/auth/v1/', '401 GET')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Apagar minha conta' }).click()
  await page.getByLabel('Sua senha').fill('sementes-2026')
  await page.getByRole('button', { name: 'Apagar conta' }).click()
  await expect(page).toHaveURL('/')
  await login(page, person.email, person.password)
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible()
})

test('a security key is enrolled and asked for at the next login', async ({
  signedIn: page,
  person,
  context,
}) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: false,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Adicionar chave de segurança' }).click()
  await expect(page.getByText('Chave de segurança cadastrada')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/')
  await login(page, person.email, person.password)
  await page.getByRole('button', { name: 'Usar chave de segurança' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('the e-mail changes when both addresses have confirmed it', async ({
  signedIn: page,
  person,
  server,
}) => {
  const wanted = `novo-${person.email}`
  await page.goto('/profile')
  await page.getByLabel('Novo email').fill('sem-arroba')
  await page.getByRole('button', { name: 'Trocar email' }).click()
  await expect(page.getByText('Email inválido')).toBeVisible()
  await page.getByLabel('Novo email').fill(wanted)
  await page.getByLabel('Senha, para confirmar').fill(person.password)
  await page.getByRole('button', { name: 'Trocar email' }).click()
  await expect(page.getByText(/O email muda quando as duas forem abertas/)).toBeVisible()
  type Mail = { to: string; type: string; token_hash: string }
  for (const to of [person.email, wanted]) {
    const find = async () => {
      const mails = (await (await fetch(`${server.url}/__outbox`)).json()) as Mail[]
      return mails.findLast((mail) => mail.to === to && mail.type.startsWith('email_change'))
    }
    await expect.poll(find).toBeTruthy()
    const answer = await fetch(`${server.url}/auth/v1/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'email_change', token_hash: (await find())?.token_hash }),
    })
    expect(answer.status).toBe(200)
  }
  await page.reload()
  await expect(page.getByText(wanted).first()).toBeVisible()
})

test('a key for scripts is made, shown once, used and revoked', async ({
  signedIn: page,
  server,
  allowed,
}) => {
  allowed.push('/api/profile/script-keys')
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Aplicativos de campo' })).toBeVisible()
  await page.getByRole('button', { name: 'Criar chave' }).click()
  await expect(page.getByText('Este campo é obrigatório')).toBeVisible()
  await page.getByLabel('Identificação da chave').fill('QBMS da estação')
  await page.getByRole('button', { name: 'Criar chave' }).click()
  const key = await page.getByRole('textbox', { name: 'Chave para scripts' }).inputValue()
  const studies = () =>
    fetch(`${server.url}/brapi/v2/studies`, { headers: { authorization: `Bearer ${key}` } })
  expect((await studies()).status).toBe(200)
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText('QBMS da estação')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Chave para scripts' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Revogar QBMS da estação' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click()
  await expect(page.getByText('QBMS da estação')).toHaveCount(0)
  expect((await studies()).status).toBe(401)
})
