import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { Landing } from '../features/landing/Landing.tsx'
import { FirstPage } from '../shell/frame.tsx'
import { arrived } from '../shell/late.tsx'
import { paths } from '../shell/paths.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { PublicLayout, Root } from './layouts.tsx'
import { NotFound } from './NotFound.tsx'

/** A page fetched when first opened. */
function page(load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> {
  const fetched = () => arrived(load, 'page')
  return { lazy: { Component: fetched } }
}

export const router = createBrowserRouter([
  {
    Component: Root,
    ErrorBoundary: ErrorScreen,
    HydrateFallback: FirstPage,
    children: [
      {
        Component: PublicLayout,
        children: [
          { path: paths.landing, Component: Landing },
          { path: paths.login, ...page(async () => (await import('../features/accounts/Login.tsx')).Login) },
          {
            path: paths.register,
            ...page(async () => (await import('../features/accounts/Register.tsx')).Register),
          },
          {
            path: paths.forgotPassword,
            ...page(async () => (await import('../features/accounts/ForgotPassword.tsx')).ForgotPassword),
          },
          {
            path: paths.resetPassword,
            ...page(async () => (await import('../features/accounts/ResetPassword.tsx')).ResetPassword),
          },
          { path: paths.terms, ...page(async () => (await import('../features/landing/Terms.tsx')).Terms) },
          {
            path: paths.privacy,
            ...page(async () => (await import('../features/landing/Privacy.tsx')).Privacy),
          },
          { path: paths.help, ...page(async () => (await import('../features/help/HelpPage.tsx')).HelpPage) },
          {
            path: paths.apiDocs,
            ...page(async () => (await import('../features/api-docs/ApiDocs.tsx')).ApiDocs),
          },
          ...(import.meta.env.DEV
            ? [
                {
                  path: paths.gallery,
                  ...page(async () => (await import('../features/gallery/Gallery.tsx')).Gallery),
                },
              ]
            : []),
          { path: '*', Component: NotFound },
        ],
      },
      {
        ...page(async () => (await import('./ProtectedLayout.tsx')).ProtectedLayout),
        children: [
          {
            path: paths.dashboard,
            ...page(async () => (await import('./pages/DashboardRoute.tsx')).DashboardRoute),
          },
          { path: paths.wizard, ...page(async () => (await import('./pages/WizardRoute.tsx')).WizardRoute) },
          {
            path: paths.extractor,
            ...page(async () => (await import('../features/extractor/ExtractorPage.tsx')).ExtractorPage),
          },
          {
            path: paths.admin,
            ...page(async () => (await import('../features/admin/AdminPage.tsx')).AdminPage),
          },
          {
            path: paths.profile,
            ...page(async () => (await import('../features/accounts/Profile.tsx')).Profile),
          },
        ],
      },
    ],
  },
])
