import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { whenLeaving } from './api/auth-client.ts'
import { cameWithPages } from './api/kept-session.ts'
import { router } from './app/router.tsx'
import { SessionProvider } from './shell/session.tsx'

/** Here so late, over a slow connection and with nothing kept, what is said comes before the letters that say it. */
const SLOW_MS = 1_500
const LETTERS_LATER_MS = 3_000
const letters = () => void import('./letters.ts').catch(() => undefined)
if (performance.now() < SLOW_MS) letters()
else setTimeout(letters, LETTERS_LATER_MS)

whenLeaving(async () => {
  if (!cameWithPages()) return
  const { leaveWithPages } = await import('./field-store/leaving.ts')
  await leaveWithPages()
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <SessionProvider>
      <RouterProvider router={router} />
    </SessionProvider>
  </StrictMode>,
)
