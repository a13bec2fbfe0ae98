// Runs before the first paint, so that a chosen theme never flashes the other one.
;(() => {
  const { dataset } = document.documentElement
  try {
    const chosen = localStorage.getItem('theme')
    if (chosen === 'light' || chosen === 'dark') dataset.theme = chosen
  } catch {
    // The browser keeps nothing for this site: the system's theme holds.
  }
  if (location.pathname !== '/') return
  // The start's picture is asked for now, not when the application has come to draw it.
  const dark =
    (dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
  const picture = dark ? '/dashboard-dark' : '/dashboard'
  const ahead = document.createElement('link')
  ahead.rel = 'preload'
  ahead.as = 'image'
  ahead.fetchPriority = 'high'
  ahead.imageSrcset = `${picture}-960.webp 960w, ${picture}.webp 1440w`
  ahead.imageSizes = '(width < 64rem) 92vw, 46rem'
  document.head.append(ahead)
})()
