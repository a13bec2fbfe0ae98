import { useLocation } from 'react-router'
import { Skeleton } from '../ui/Surface.tsx'
import { paths } from './paths.ts'

/** The dashboard before its figures, as index.html shows it before anything has come: kept, not drawn twice. */
const dashboard = document.querySelector('#moldura > .page')
/** Whether it stood on this page from the first paint: then it stays until there is more. */
const stood = 'frame' in document.documentElement.dataset

/** Where the header of a person signed in will stand. */
export const EmptyBar = () => <div className="h-14 border-b border-line bg-surface" />

/** While the first page of this visit comes. */
export const FirstPage = () =>
  stood && location.pathname === paths.dashboard ? (
    <>
      <EmptyBar />
      <Kept />
    </>
  ) : null

/** While a page or its first answers come. */
export function PageSkeleton() {
  const { pathname } = useLocation()
  if (pathname === paths.dashboard) return <Kept />
  return (
    <div className="page flex flex-col gap-6 py-8" aria-busy="true">
      <p className="sr-only">Carregando</p>
      <Skeleton className="h-9 w-72" />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-96" />
    </div>
  )
}

const Kept = () => (
  <div
    ref={(at) => {
      if (at && dashboard) at.append(dashboard)
    }}
  />
)
