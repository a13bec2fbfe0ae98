import type { Readable } from 'node:stream'

/** Where the documents' bytes lie, under names that the server made up. */
export interface DocumentStore {
  /** Returns only when the bytes would survive a power cut. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /**
   * The bytes from `start` to `end`, both included; all of them without a range.
   * @throws MissingDocument when there is no such file; something else when the store cannot say
   */
  read(name: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>
  /** Every stored name with its age, for the sweep of files that no row names. */
  entries(): AsyncIterable<{ name: string; modifiedAt: Date }>
}

export class MissingDocument extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`${name} is not in the store`, options)
    this.name = 'MissingDocument'
  }
}

/** The store is there no more, or has no room. */
export class StoreUnavailable extends Error {
  readonly full: boolean

  constructor(full: boolean, options: ErrorOptions) {
    super(full ? 'the store is full' : 'the store is away', options)
    this.name = 'StoreUnavailable'
    this.full = full
  }
}
