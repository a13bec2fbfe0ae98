import { createContext, useContext } from 'react'
import type { Tiles } from './basemap.ts'

/** Where map tiles come from; null while that is not known yet. The app provides it. */
export const TilesContext = createContext<Tiles | null>(null)
export const useTiles = (): Tiles | null => useContext(TilesContext)
