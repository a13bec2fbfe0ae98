import { createContext, useContext } from 'react'

/** What every picture and file must say of its data, such as that they are for demonstration; null: nothing. */
export const MarkContext = createContext<string | null>(null)
export const useMark = (): string | null => useContext(MarkContext)

/** What a picture says of itself away from its page, beside its title: of which data, of when and whose. */
export const OriginContext = createContext<readonly string[]>([])
export const useOrigin = (): readonly string[] => useContext(OriginContext)
