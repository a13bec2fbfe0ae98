// Sets one document, and ends.
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Typesetting } from './typeset.ts'

process.once('message', ({ template, data }: Typesetting) => {
  // A folder that is not there: a template reads nothing but what it is handed.
  const compiler = NodeCompiler.create({ workspace: '/nothing-here' })
  const pdf = compiler.pdf(
    { mainFileContent: template, inputs: { data: JSON.stringify(data) } },
    { pdfStandard: 'ua-1' },
  )
  process.send?.(pdf, () => process.exit(0))
})
