// npm run guide: takes the pictures of docs/guia.md anew, from the running product.
import { buildWeb, install, node, run } from './lib.mjs'

install()
buildWeb()
run(node, ['e2e/guide-pictures.ts'])
buildWeb()
