import { createContext } from 'react'

/** The experiment whose yields come from its plots; null where they are typed. */
export const PlotsContext = createContext<string | null>(null)
