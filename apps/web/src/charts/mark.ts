import { createContext, useContext } from 'react'

/** What every picture and file must say of its data, such as that they are for demonstration; null: nothing. */
export const MarkContext = createContext<string | null>(null)
export const useMark = (): string | null => useContext(MarkContext)
