import { readFileSync } from 'node:fs'
import { build, type Plugin, type Rolldown } from 'vite'

/**
 * How the application is parted into files, and what each page asks for ahead (docs/performance.md, "On a phone"):
 * over a slow network every file is a wait of its own.
 */

/** What is read together comes together; each takes what those before it have not. */
const ROOMS = {
  form: ['src/features/accounts/Login.tsx'],
  session: ['src/api/auth-client.ts'],
  work: ['src/app/ProtectedLayout.tsx', 'src/app/Header.tsx', 'src/app/pages/DashboardRoute.tsx'],
}
/** Pages with a file of their own, by address: the modules that their first screen needs. */
const PAGES: Readonly<Record<string, readonly string[]>> = { dashboard: [...ROOMS.session, ...ROOMS.work] }
/** Large, and needed by what checks input: nothing on a first screen. */
const LATE = /\/node_modules\/zod\//

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

/** The groups of modules that become one file each. */
export function rooms(root: string): Rolldown.CodeSplittingGroup[] {
  let known: Map<string, string> | undefined
  const find = (graph: Graph) => {
    const room = new Map<string, string>()
    for (const [name, entries] of Object.entries(ROOMS)) {
      const enter = (id: string) => {
        const module = graph.getModuleInfo(id)
        if (!module || room.has(id) || LATE.test(id)) return
        room.set(id, name)
        module.importedIds.forEach(enter)
      }
      for (const entry of entries) enter(`${root}/${entry}`)
    }
    for (const id of room.keys()) {
      if (graph.getModuleInfo(id)?.importedIds.some((to) => LATE.test(to))) room.delete(id)
    }
    return room
  }
  return [
    { name: 'start', debugName: 'start', tags: ['$initial'], priority: 2 },
    {
      debugName: 'rooms',
      priority: 1,
      name(id, graph) {
        known ??= find(graph)
        return known.get(id) ?? null
      },
    },
  ]
}

/** Puts the boot script and the styles into the page, and writes the pages that ask for their parts ahead. */
export function pages(root: string): Plugin {
  return {
    name: 'ensaio-pages',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace('<!-- boot.js -->', () => `<script>${readFileSync(`${root}/boot.js`, 'utf8')}</script>`),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('The build made no page')
        let html = String(index.source)
        html = html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/, (link, file: string) => {
          const styles = bundle[file]
          return styles?.type === 'asset' ? `<style>${String(styles.source)}</style>` : link
        })
        index.source = html
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const filesOf = (modules: readonly string[]) => {
          const needed = new Set<string>()
          const need = (chunk: Rolldown.OutputChunk | undefined) => {
            if (!chunk || needed.has(chunk.fileName)) return
            needed.add(chunk.fileName)
            for (const file of chunk.imports) need(chunks.find(({ fileName }) => fileName === file))
          }
          for (const module of modules) {
            const home = chunks.find(({ moduleIds }) => moduleIds.includes(`${root}/${module}`))
            if (!home) throw new Error(`No file has ${module}`)
            need(home)
          }
          return [...needed].filter((file) => !html.includes(`"/${file}"`))
        }
        for (const [name, modules] of Object.entries(PAGES)) {
          const ahead = filesOf(modules).map(
            (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
          )
          this.emitFile({
            type: 'asset',
            fileName: `${name}.html`,
            source: html.replace('</head>', () => `${ahead.join('')}</head>`),
          })
        }
      },
    },
  }
}

const FIELD = /^\/(campo|q)(\/|$|\?)/i

/** The phone's entry is built behind the application, with files and a worker of its own (vite.campo.config.ts). */
export function fieldEntry(root: string): Plugin {
  return {
    name: 'ensaio-field-entry',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url && FIELD.test(request.url) && !request.url.includes('.')) request.url = '/campo.html'
        next()
      })
    },
    async closeBundle(error?: Error) {
      if (error || this.meta.watchMode) return
      await build({ configFile: `${root}/vite.campo.config.ts`, logLevel: 'warn' })
    },
  }
}
