import { useSyncExternalStore } from 'react'
import { createFieldStore, type FieldState } from '../../field-store/store.ts'

/** What this phone holds: one for the page. */
export const field = createFieldStore()
export const useFieldState = (): FieldState => useSyncExternalStore(field.subscribe, field.state)
