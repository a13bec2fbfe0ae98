import { Suspense } from 'react'
import { EmptyBar } from '../shell/frame.tsx'
import { late } from '../shell/late.tsx'

const HeaderBar = late(async () => (await import('./Header.tsx')).Header)

/** Shown only to a person signed in; its menu is fetched then. */
export const Header = () => (
  <Suspense fallback={<EmptyBar />}>
    <HeaderBar />
  </Suspense>
)
