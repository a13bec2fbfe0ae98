import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fieldEntry, pages, rooms } from './build.ts'

const server = `http://localhost:${process.env.PORT ?? 3000}`
const root = import.meta.dirname

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), pages(root), fieldEntry(root)],
  build: {
    target: 'es2022',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    sourcemap: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: rooms(root) } } },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api/', '/auth/', '/rest/', '/brapi/', '/oauth/token', '/healthz', '/readyz'].map((path) => [
        path,
        server,
      ]),
    ),
  },
})
