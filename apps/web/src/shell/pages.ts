import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { arrived } from './late.tsx'

/** The pages that a feature brings: for anybody, and for people signed in. */
export type Pages = { public?: readonly RouteObject[]; protected?: readonly RouteObject[] }

/** What is shown of a route, fetched when first opened. */
export function fetched(load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> {
  const component = () => arrived(load, 'page')
  return { lazy: { Component: component } }
}

export const page = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  ...fetched(load),
})
