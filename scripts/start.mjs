// npm start: installs and builds what is missing or stale, then runs the server.
import { buildWeb, install, serve } from './lib.mjs'

install()
buildWeb()
serve(['apps/server/src/main.ts'])
