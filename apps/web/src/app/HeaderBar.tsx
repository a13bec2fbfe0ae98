import { Suspense } from 'react'
import { late } from './late.tsx'

const HeaderBar = late(async () => (await import('./Header.tsx')).Header)
export const EmptyBar = () => <div className="h-14 border-b border-line bg-surface" />

/** Shown only to a person signed in; its menu is fetched then. */
export const Header = () => (
  <Suspense fallback={<EmptyBar />}>
    <HeaderBar />
  </Suspense>
)
