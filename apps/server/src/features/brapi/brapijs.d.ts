declare module '@solgenomics/brapijs' {
  /** What a call gives can be asked on, row by row. */
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types of its own
  export default function BrAPI(address: string, version: string, token?: string): any
}
