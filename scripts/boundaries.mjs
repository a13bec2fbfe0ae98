// Who may import whom (docs/architecture.md), checked over every source file: node boundaries.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root } from './lib.mjs'

const TEST = /\.(test|spec)\.tsx?$|\/test-[\w-]+\.ts$/
const SQL_OWNERS = /^apps\/server\/(migrations\/|src\/(database|catalogue)\/|.*\.repository\.ts$)/
/** Features parted into rooms: what others import, and the rooms, each of which knows only those before it. */
const IN_ROOMS = [
  {
    home: 'apps/server/src/features/accounts/',
    entries: ['accounts.feature.ts', 'admin/admin-commands.ts'],
    rooms: [
      'errors',
      'users',
      'credentials',
      'limits',
      'letters',
      'sessions',
      'proofs',
      'factors',
      'external',
      'applications',
      'account',
      'admin',
      'product',
      'auth-v1',
    ],
  },
]
/** What each folder of the web may import besides itself; `app/`, which is not here, puts all of them together. */
const WEB = {
  storage: [],
  ui: ['storage'],
  charts: ['ui'],
  map: ['ui'],
  'pdf-viewer': ['ui'],
  api: ['storage'],
  // The phone's store and queue know no screen.
  'field-store': ['api', 'storage'],
  shell: ['api', 'ui', 'storage'],
  features: ['shell', 'field-store', 'api', 'charts', 'map', 'pdf-viewer', 'ui', 'storage'],
}
const webFolder = (file) => /^apps\/web\/src\/([^/]+)\//.exec(file)?.[1]
const feature = (file, side) => new RegExp(`^apps/${side}/src/features/([^/]+)/`).exec(file)?.[1]

/** Each rule answers with a sentence when the import is not allowed. `to` is a file, or a package's name. */
const rules = [
  function domainNeedsOnlyZod({ from, to, typeOnly }) {
    if (!from.startsWith('packages/domain/')) return
    if (to.startsWith('packages/domain/') || to === 'zod' || TEST.test(from)) return
    if (to === '@ensaio/statistics' && typeOnly) return
    return 'the domain imports zod, and the shapes of an analysis'
  },
  function statisticsIsNumbers({ from, to }) {
    if (!from.startsWith('packages/statistics/') || TEST.test(from) || /\/reference\//.test(from)) return
    if (!to.startsWith('packages/statistics/')) return 'statistics imports nothing'
  },
  function packagesAreBelow({ from, to }) {
    if (!from.startsWith('packages/')) return
    if (to.startsWith('apps/') || to === '@ensaio/server' || to === '@ensaio/web')
      return 'a package does not import an app'
  },
  function packagesByTheirEntry({ from, to }) {
    const home = /^(packages|apps)\/[^/]+\//.exec(from)?.[0]
    if (home && /^(packages|apps|e2e|bench)\//.test(to) && !to.startsWith(home))
      return 'another workspace is imported by its name'
  },
  function webNeedsDomain({ from, to }) {
    if (!from.startsWith('apps/web/') || !to.startsWith('@ensaio/')) return
    if (!/^@ensaio\/(domain(\/(demo|estados|advice))?|statistics(\/(distributions|economics))?)$/.test(to))
      return 'the web imports @ensaio/domain and the kernel of statistics'
  },
  function endToEndFromOutside({ from, to }) {
    if (!/^(e2e|bench)\//.test(from) || !to.startsWith('@ensaio/')) return
    if (!/^@ensaio\/(domain(\/demo)?|extraction|statistics(\/economics)?)$/.test(to))
      return 'tests from outside use public entries'
  },
  function webFeaturesApart({ from, to }) {
    const own = feature(from, 'web')
    const other = feature(to, 'web')
    if (own && other && own !== other) return 'a web feature never imports another'
  },
  function webFoldersInOrder({ from, to }) {
    const own = webFolder(from)
    const other = webFolder(to)
    if (own in WEB && other && other !== own && !WEB[own].includes(other))
      return `${own}/ of the web does not know ${other}/`
  },
  function serverFeaturesByService({ from, to }) {
    const own = feature(from, 'server')
    const other = feature(to, 'server')
    if (own && other && own !== other && to.endsWith('.repository.ts') && !TEST.test(from))
      return "a feature calls another's service, never its repository"
  },
  function roomsByTheirEntry({ from, to }) {
    const inside = IN_ROOMS.find(({ home }) => to.startsWith(home))
    if (!inside || from.startsWith(inside.home) || TEST.test(from)) return
    if (!inside.entries.includes(to.slice(inside.home.length)))
      return 'a feature in rooms is imported by its entry'
  },
  function roomsInOrder({ from, to }) {
    const inside = IN_ROOMS.find(({ home }) => from.startsWith(home) && to.startsWith(home))
    if (!inside || TEST.test(from)) return
    const [own, other] = [from, to].map((file) => floorOf(file, inside))
    if (own < 0 || other < 0) return 'a room has its place in the list'
    if (own < other) return 'a room knows only those before it'
  },
  function httpKnowsNoFeature({ from, to }) {
    if (
      /^apps\/server\/src\/(http|database|catalogue|storage|mail|jobs|secret)\//.test(from) &&
      feature(to, 'server')
    )
      return 'what features stand on does not know them'
  },
  function featuresBehindTheWall({ from, to, typeOnly }) {
    if (!feature(from, 'server') || TEST.test(from)) return
    const [, file] = /^apps\/server\/src\/database\/(.*)$/.exec(to) ?? []
    if (file === undefined || typeOnly || ['apart.ts', 'hot.ts', 'now.ts', 'one-at-a-time.ts'].includes(file))
      return
    return 'a feature is given its wall; it opens no way of its own to the database'
  },
  function sqlInRepositories({ from, to, typeOnly }) {
    if (typeOnly || SQL_OWNERS.test(from) || TEST.test(from)) return
    if (from.startsWith('apps/server/') && (to === 'kysely' || to === 'pg'))
      return 'only database/ and *.repository.ts write SQL'
  },
]

const sources = ['packages', 'apps', 'e2e', 'bench'].flatMap((folder) => filesIn(folder))
const edges = sources.flatMap((file) => importsOf(file))
const complaints = edges.flatMap((edge) =>
  rules.flatMap((rule) => {
    const sentence = rule(edge)
    return sentence ? [`${edge.from} -> ${edge.to}: ${sentence}`] : []
  }),
)
for (const file of sources) {
  if (/^apps\/web\/src\//.test(file) && !/^apps\/web\/src\/api\//.test(file) && !TEST.test(file)) {
    if (/(^|[^.\w])fetch\(/.test(readFileSync(join(root, file), 'utf8')))
      complaints.push(`${file}: only api/ fetches`)
  }
  // Who asked may be gone already, and the event with them.
  if (/^apps\/server\/src\//.test(file) && !/\/once-closed\.ts$/.test(file) && !TEST.test(file)) {
    if (/reply\.raw\.once\('close'/.test(readFileSync(join(root, file), 'utf8')))
      complaints.push(`${file}: the end of an answer is heard by onceClosed`)
  }
  // Blocked by the browser, even naming it throws.
  if (/^apps\/web\/src\/(?!storage\/)/.test(file) && !TEST.test(file)) {
    if (/\b(localStorage|sessionStorage|indexedDB)\b/.test(readFileSync(join(root, file), 'utf8')))
      complaints.push(`${file}: only storage/ touches what the browser keeps`)
  }
}
for (const circle of circles(edges)) complaints.push(`circle: ${circle.join(' -> ')}`)

if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  process.exit(1)
}
console.log(`boundaries: ${sources.length} files, ${edges.length} imports`)

/** The place of a file's room; files beside the rooms stand above them all. */
function floorOf(file, { home, rooms }) {
  const [room, ...rest] = file.slice(home.length).split('/')
  return rest.length === 0 ? rooms.length : rooms.indexOf(room)
}

function filesIn(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
}

function importsOf(from) {
  const text = readFileSync(join(root, from), 'utf8')
  const { module } = parseSync(from, text)
  const plain = [
    ...module.staticImports.map((item) => ({
      specifier: item.moduleRequest.value,
      typeOnly: item.entries.length > 0 && item.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((item) =>
      item.entries
        .filter((entry) => entry.moduleRequest)
        .map((entry) => ({ specifier: entry.moduleRequest.value, typeOnly: entry.isType })),
    ),
  ]
  // Only what is written out can be followed: import('./Review.tsx').
  const late = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const specifier = /^['"](.*)['"]$/s.exec(text.slice(start, end))?.[1]
    return specifier === undefined ? [] : [{ specifier, typeOnly: false }]
  })
  return [...plain, ...late].map(({ specifier, ...how }) => ({ from, to: target(from, specifier), ...how }))
}

function target(from, specifier) {
  if (!specifier.startsWith('.')) return specifier
  const path = join(dirname(from), specifier).replaceAll('\\', '/')
  const found = [path, `${path}.ts`, `${path}.tsx`].find((candidate) => existsSync(join(root, candidate)))
  return found ?? path
}

function circles(allEdges) {
  const next = new Map()
  for (const { from, to, typeOnly } of allEdges) {
    if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to])
  }
  const done = new Set()
  const found = []
  const visit = (file, path) => {
    const at = path.indexOf(file)
    if (at >= 0) found.push([...path.slice(at), file])
    if (at >= 0 || done.has(file)) return
    for (const to of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return found
}
