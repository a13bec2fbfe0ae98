import { shrink } from './shrink.ts'

// Makes one picture smaller beside the page, which goes on answering; null for what is none.
addEventListener('message', async ({ data }: MessageEvent<{ file: Blob; side: number }>) => {
  const made = await shrink(data.file, data.side).catch(() => null)
  ;(globalThis as unknown as { postMessage(answer: Blob | null): void }).postMessage(made)
})
