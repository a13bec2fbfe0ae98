// Runs one of the project's programs with the pinned Node: node run.mjs FILE [ARGUMENTS]
import { install, serve } from './lib.mjs'

install()
serve(process.argv.slice(2))
