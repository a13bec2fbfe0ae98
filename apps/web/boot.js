// Stands in every page itself: what must be known before the first paint, and what can be asked for before the
// application has come. The policy names it by its hash.
;(() => {
  const root = document.documentElement
  const kept = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // The browser keeps nothing for this site.
      return null
    }
  }
  const theme = kept('theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme

  if (location.pathname === '/') landingPicture()
  if (location.pathname === '/dashboard') dashboard()

  /** The picture of the start, in the theme's light. */
  function landingPicture() {
    const dark =
      (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
    const picture = dark ? '/dashboard-dark' : '/dashboard'
    const ahead = document.createElement('link')
    ahead.rel = 'preload'
    ahead.as = 'image'
    ahead.fetchPriority = 'high'
    ahead.imageSrcset = `${picture}-960.webp 960w, ${picture}.webp 1440w`
    ahead.imageSizes = '(width < 64rem) 92vw, 46rem'
    document.head.append(ahead)
  }

  /** How surely the session knows its person, as its token says. */
  function levelOf(token) {
    try {
      return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).aal
    } catch {
      return undefined
    }
  }

  /** The organisation that this tab acts for (see src/api/acting.ts). */
  function actingFor(person) {
    const named = new URLSearchParams(location.search).get('org')
    if (named && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(named)) return named
    let ofThisTab = null
    try {
      ofThisTab = sessionStorage.getItem('ensaio.organization')
    } catch {
      // The browser keeps nothing for this site.
    }
    const [of, organization] = (ofThisTab ?? kept('ensaio.organization') ?? '').split(' ')
    return of === person && organization ? organization : null
  }

  /** With a session that holds: the frame of the page (see index.html), and the first answers it will need. */
  function dashboard() {
    const MARGIN_S = 120
    const TIMEOUT_MS = 30_000
    const here = kept('ensaio.auth.remember') || document.cookie.split('; ').includes('ensaio_browser=1')
    if (!here) return
    let session = null
    try {
      session = JSON.parse(kept('ensaio.auth.token') ?? 'null')
    } catch {
      return
    }
    const token = session?.access_token
    if (typeof token !== 'string' || !/^[\w.-]+$/.test(token)) return
    // Whoever still owes a second factor is asked for that first.
    if (session.user?.factors?.some(({ status }) => status === 'verified') && levelOf(token) !== 'aal2')
      return
    root.dataset.frame = ''
    if (!(session.expires_at > Date.now() / 1000 + MARGIN_S)) return
    const urls = ['/api/experiments?limit=1', '/api/settings']
    // Of whose organisation it is says nothing of what is asked.
    if (location.search.replace(/^\?org=[0-9a-f-]{36}$/, '') === '') urls.push('/api/dashboard/overview')
    const organization = actingFor(session.user?.id)
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    if (organization) headers['x-organization'] = organization
    window.ensaioAhead = { token, organization, at: performance.now(), answers: new Map() }
    for (const url of urls) {
      const answer = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
      // Whoever takes it hears of its failure.
      answer.catch(() => undefined)
      window.ensaioAhead.answers.set(url, answer)
    }
  }
})()
