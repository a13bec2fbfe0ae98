// The licence of every installed package is one that lets us pass the product on: node licences.mjs
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib.mjs'

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  // For fonts, which may be shipped with anything.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
])

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const foreign = Object.entries(packages).filter(
  ([path, entry]) => path.includes('node_modules/') && !entry.link,
)
const refused = foreign.flatMap(([path, entry]) => {
  const licence = licenceOf(path, entry)
  return allows(licence) ? [] : [`${path.replace(/^.*node_modules\//, '')}: ${licence || 'no licence named'}`]
})

if (refused.length > 0) {
  console.error(refused.join('\n'))
  process.exit(1)
}
console.log(`licences: ${foreign.length} packages`)

/** What the installed package says, else what the registry said when the lock file was written. */
function licenceOf(path, entry) {
  const manifest = join(root, path, 'package.json')
  const said = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).license : undefined
  return typeof said === 'string' ? said : (said?.type ?? entry.license ?? '')
}

/** SPDX: of an OR one part is enough, of an AND every part is needed. */
function allows(expression) {
  const plain = expression.trim().replace(/^\((.*)\)$/, '$1')
  if (/ OR /.test(plain)) return plain.split(' OR ').some(allows)
  if (/ AND /.test(plain)) return plain.split(' AND ').every(allows)
  return ALLOWED.has(plain)
}
