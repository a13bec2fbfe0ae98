import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const root = import.meta.dirname
/** The address that the worker answers with the kept page, whatever page of the field is asked for. */
const PAGE = '/campo'

/** The phone's entry: files of its own below `assets/campo`, kept whole by its worker. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globDirectory: `${root}/dist`,
        globPatterns: ['campo.html', 'assets/campo/*.{js,css}', 'campo.webmanifest', 'campo-192.png'],
        dontCacheBustURLsMatching: /^assets\/campo\//,
        manifestTransforms: [
          (entries) => ({
            manifest: entries.map((entry) =>
              entry.url === 'campo.html'
                ? { ...entry, url: PAGE, revision: hashOf(`${root}/dist/campo.html`) }
                : { ...entry, url: `/${entry.url}` },
            ),
          }),
        ],
      },
    }),
  ],
  build: {
    target: 'es2022',
    emptyOutDir: false,
    assetsDir: 'assets/campo',
    assetsInlineLimit: 0,
    sourcemap: true,
    rolldownOptions: { input: `${root}/campo.html` },
  },
})

const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
