// npm run demo: a server of its own, filled with a realistic data set through the real services.
import { buildWeb, install, serve } from './lib.mjs'

install()
buildWeb()
serve(['apps/server/src/demo.ts'], {
  env: { DATA_DIR: './data/demo', ...process.env },
})
