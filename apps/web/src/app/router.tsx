import { createBrowserRouter } from 'react-router'
import { accounts } from '../features/accounts/pages.ts'
import { apiDocs } from '../features/api-docs/pages.ts'
import { extractor } from '../features/extractor/pages.ts'
import { gallery } from '../features/gallery/pages.ts'
import { help } from '../features/help/pages.ts'
import { imports } from '../features/imports/pages.ts'
import { landing } from '../features/landing/pages.ts'
import { organizations } from '../features/organizations/pages.ts'
import { planning } from '../features/planning/pages.ts'
import { reports } from '../features/reports/pages.ts'
import { sharing } from '../features/sharing/pages.ts'
import { views } from '../features/views/pages.ts'
import { FirstPage } from '../shell/frame.tsx'
import { fetched, type Pages } from '../shell/pages.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { PublicLayout, Root } from './layouts.tsx'
import { NotFound } from './NotFound.tsx'
import { composed } from './pages/pages.ts'

const ALL: readonly Pages[] = [
  landing,
  accounts,
  help,
  apiDocs,
  gallery,
  composed,
  extractor,
  organizations,
  planning,
  imports,
  reports,
  sharing,
  views,
]

export const router = createBrowserRouter([
  {
    Component: Root,
    ErrorBoundary: ErrorScreen,
    HydrateFallback: FirstPage,
    children: [
      {
        Component: PublicLayout,
        children: [...ALL.flatMap((pages) => pages.public ?? []), { path: '*', Component: NotFound }],
      },
      {
        ...fetched(async () => (await import('./ProtectedLayout.tsx')).ProtectedLayout),
        children: ALL.flatMap((pages) => pages.protected ?? []),
      },
    ],
  },
])
