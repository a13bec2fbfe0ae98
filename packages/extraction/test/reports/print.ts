// Prints the reports of this folder: node print.ts [NAME...]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { startPrinter } from '../../generator/render.ts'

const folder = new URL('.', import.meta.url)
const printer = await startPrinter()
for (const file of readdirSync(folder).filter((name) => name.endsWith('.html'))) {
  if (process.argv.length > 2 && !process.argv.some((part) => file.startsWith(part))) continue
  const html = readFileSync(new URL(file, folder), 'utf8')
  writeFileSync(new URL(file.replace('.html', '.pdf'), folder), await printer.print(html))
}
printer.close()
