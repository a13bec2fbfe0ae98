// npm run dev: the server restarts and the pages reload on every change.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install, node, root, serve } from './lib.mjs'

const PAGES = 'http://localhost:5173'

install()
const web = spawn(node, [join(root, 'node_modules/vite/bin/vite.js'), '--strictPort'], {
  cwd: join(root, 'apps/web'),
  stdio: 'inherit',
})
process.on('exit', () => web.kill())
web.on('exit', () => process.exit())
serve(['--watch-path=apps/server', '--watch-path=packages', '--watch', 'apps/server/src/main.ts'], {
  env: { SITE_URL: PAGES, ...process.env },
})
console.log(`Páginas em ${PAGES}`)
