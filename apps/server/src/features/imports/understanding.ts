import { createHash } from 'node:crypto'
import { can, type ExperimentInput, type ImportProblem, meanProductivity, searchable } from '@ensaio/domain'
import {
  contentOf,
  draftOf,
  type FinishedTrial,
  finishTrial,
  type ImportPlan,
  nowhere,
  problemAt,
  type SheetRow,
  saysOnly,
  type TrialDraft,
} from '@ensaio/domain/imports'
import type { Handle } from '../../database/handle.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { type Chosen, rowsAt, type StoredImport } from './imports.repository.ts'
import { breathe, CHOSEN, type Grouped, merger } from './looking.ts'
import { withPlots } from './plots.ts'
import {
  alikeTrials,
  firstWithMark,
  receivedOf,
  type StoredTrial,
  trialsByKeys,
  type UnderstoodTrial,
} from './trials.repository.ts'

/** Trials that are understood before others get their turn. */
const TRIALS_AT_ONCE = 100

type Made = UnderstoodTrial & { draft: TrialDraft; finished: FinishedTrial }

/** The cell that says which trial it is: of its ID or code, else the first of what stands once in it. */
function keyPlace({ places, linhas }: TrialDraft) {
  const known = ['id', 'codigo'].flatMap((key) => (places.get(key)?.valor ? [places.get(key)] : []))[0]
  const first = [...places].find(([path, { celula }]) => !path.includes('.') && celula !== null)?.[1]
  return known ?? first ?? nowhere(linhas[0] ?? 1)
}

interface Read {
  n: number
  of: Grouped
  draft: TrialDraft
  mesmo_assim: boolean
}

/** Understands trials of an import, some at a time. */
export function understander({
  experiments,
  trials,
  actor,
  handle,
  stored,
  plan,
}: {
  experiments: Experiments
  trials: Trials
  actor: Actor
  handle: Handle
  stored: Pick<StoredImport, 'id' | 'cabeca' | 'escolhas'>
  plan: ImportPlan
}) {
  const head = stored.cabeca
  if (!head) throw new Error('an import without a head')
  const chosen: Chosen = { ...CHOSEN, ...stored.escolhas }
  const erase = chosen.vazias_apagam
  const merged = merger(head, plan)

  const readRows = async (of: Grouped): Promise<SheetRow[]> =>
    (await rowsAt(handle, stored.id, of)).map(merged)

  /** The trials that drafts name by an id or a code, as they stand. */
  const standing = async (drafts: readonly Read[]) => {
    const ids = drafts.flatMap(({ draft }) => uuidOf(draft) ?? [])
    const codes = drafts.flatMap(({ draft }) => codeOf(draft) ?? [])
    if (ids.length + codes.length === 0) return { byId: new Map(), byCode: new Map() }
    const found = await trialsByKeys(handle, { ids, codes })
    return {
      byId: new Map(found.map((one) => [one.id, one])),
      byCode: new Map(found.map((one) => [one.codigo_busca ?? '', one])),
    }
  }

  const understand = async (
    reads: readonly Read[],
    earlier: (marks: readonly string[]) => Promise<Map<string, { n: number; linha: number }>>,
  ): Promise<UnderstoodTrial[]> => {
    const { byId, byCode } = await standing(reads)
    const received = await receivedOf(
      handle,
      reads.flatMap(({ draft }) => uuidOf(draft) ?? []).filter((id) => !byId.has(id)),
    )
    const made: Made[] = []
    for (const { n, of, draft, mesmo_assim } of reads) {
      const id = uuidOf(draft)
      const code = codeOf(draft)
      const found = (id && byId.get(id)) ?? (code && byCode.get(code)) ?? null
      const existing = found ? await experiments.get(actor, found.id, handle) : null
      // What came in an export of ours, and is somebody else's, is no new trial while it says the same.
      const other = id && received.has(id) ? await experiments.get(actor, id, handle) : null
      if (other && saysOnly(other, draft, plan)) {
        made.push({
          ...{
            n,
            ...of,
            draft,
            finished: { ...finishTrial(draft, plan, { existing: other }), mudancas: [] },
          },
          ...{ estado: 'igual', experimento_id: other.id, chave: id ?? null, marca: `id ${other.id}` },
          ...{ dados: {}, mudancas: [], problemas: [], avisos: false, mesmo_assim },
        })
        continue
      }
      const sheet =
        existing && plan.forma === 'parcelas'
          ? await trials.sheetIn(handle, existing.id, existing.n_tratamentos)
          : null
      const finished = withPlots(finishTrial(draft, plan, { existing, erase }), {
        ...{ draft, plan, existing, sheet },
      })
      const problemas = [...finished.problemas]
      if (existing && finished.mudancas.length > 0)
        problemas.push(...conflicts(draft, existing, actor, mesmo_assim))
      const wrong = problemas.some(({ gravidade }) => gravidade === 'erro')
      made.push({
        n,
        ...of,
        draft,
        finished,
        estado: wrong
          ? 'erro'
          : existing === null
            ? 'novo'
            : finished.mudancas.length === 0
              ? 'igual'
              : 'atualizar',
        experimento_id: existing?.id ?? null,
        chave:
          typeof draft.campos.get('codigo') === 'string' ? String(draft.campos.get('codigo')) : (id ?? null),
        marca: existing
          ? `id ${existing.id}`
          : code
            ? `codigo ${code}`
            : finished.input && `conteudo ${printOf(finished.input)}`,
        dados: finished.dados,
        mudancas: finished.mudancas,
        problemas,
        avisos: problemas.some(({ gravidade }) => gravidade === 'aviso'),
        mesmo_assim,
      })
    }
    await findAlike(made)
    await tellRepeated(made, earlier)
    return made.map(({ finished: _, draft: __, ...one }) => one)
  }

  /** Who has neither id nor code is known by everything that it says. */
  const findAlike = async (made: readonly Made[]) => {
    const asked = made.flatMap(({ n, estado, marca, finished: { input } }) =>
      estado === 'novo' && input && marca?.startsWith('conteudo ') ? [{ n, input }] : [],
    )
    const twins = await twinsOf({ experiments, actor, handle }, asked)
    for (const one of made) {
      const twin = twins.get(one.n)
      if (twin === undefined) continue
      one.estado = 'igual'
      one.experimento_id = twin
    }
  }

  const tellRepeated = async (
    made: readonly Made[],
    earlier: (marks: readonly string[]) => Promise<Map<string, { n: number; linha: number }>>,
  ) => {
    const first = await earlier(made.flatMap(({ marca }) => marca ?? []))
    for (const one of made) {
      if (one.marca === null) continue
      const before = first.get(one.marca)
      if (before === undefined || before.n >= one.n) {
        if (before === undefined || before.n > one.n)
          first.set(one.marca, { n: one.n, linha: one.linhas[0] ?? 1 })
        continue
      }
      one.estado = 'erro'
      const message = `Este experimento já está na linha ${before.linha.toLocaleString('pt-BR')}`
      one.problemas.push(problemAt(keyPlace(one.draft), 'erro', message))
    }
  }

  return {
    /** All of them, batch by batch. */
    async *all(
      groups: readonly Grouped[],
      mesmoAssim: ReadonlySet<number>,
    ): AsyncGenerator<UnderstoodTrial[]> {
      const known = new Map<string, { n: number; linha: number }>()
      for (let at = 0; at < groups.length; at += TRIALS_AT_ONCE) {
        const part = groups.slice(at, at + TRIALS_AT_ONCE)
        const rows = await readRows({
          folhas: part.flatMap(({ folhas }) => folhas),
          linhas: part.flatMap(({ linhas }) => linhas),
        })
        let next = 0
        const reads: Read[] = []
        for (const [index, of] of part.entries()) {
          const own = rows.slice(next, next + of.linhas.length)
          next += of.linhas.length
          const n = at + index + 1
          reads.push({ n, of, draft: draftOf(own, plan), mesmo_assim: mesmoAssim.has(n) })
          if (index % 20 === 19) await breathe()
        }
        yield await understand(reads, async () => known)
        await breathe()
      }
    },

    /** Some of them again, after their cells changed. */
    async again(
      trials: readonly Pick<StoredTrial, 'n' | 'folhas' | 'linhas' | 'mesmo_assim'>[],
    ): Promise<UnderstoodTrial[]> {
      const reads: Read[] = []
      for (const { n, folhas, linhas, mesmo_assim } of trials)
        reads.push({
          n,
          of: { folhas, linhas },
          draft: draftOf(await readRows({ folhas, linhas }), plan),
          mesmo_assim,
        })
      return understand(reads, (marks) => firstWithMark(handle, stored.id, marks))
    },

    draft: async (of: Grouped): Promise<TrialDraft> => draftOf(await readRows(of), plan),
  }
}

/** Own living trials that say all that these say, by their numbers. */
export async function twinsOf(
  { experiments, actor, handle }: { experiments: Experiments; actor: Actor; handle: Handle },
  asked: readonly { n: number; input: ExperimentInput }[],
): Promise<Map<number, string>> {
  const twins = new Map<number, string>()
  if (asked.length === 0) return twins
  const byNumber = new Map(asked.map(({ n, input }) => [n, input]))
  const alike = await alikeTrials(
    handle,
    asked.map(({ n, input: { ano, cidade, estado, tratamentos } }) => ({
      ...{ n, ano, cidade, estado },
      media: meanProductivity(tratamentos) ?? 0,
      tratamentos: tratamentos.length,
    })),
  )
  for (const { n, id } of alike) {
    const input = byNumber.get(n)
    if (twins.has(n) || !input) continue
    if (contentOf(await experiments.get(actor, id, handle)) === contentOf(input)) twins.set(n, id)
  }
  return twins
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const uuidOf = (draft: TrialDraft): string | undefined => {
  const id = draft.campos.get('id')
  return typeof id === 'string' && id.length === 36 && UUID.test(id) ? id.toLowerCase() : undefined
}
const codeOf = (draft: TrialDraft): string | undefined => {
  const code = draft.campos.get('codigo')
  return typeof code === 'string' ? searchable(code.slice(0, 300)) || undefined : undefined
}

const printOf = (input: ExperimentInput): string =>
  createHash('sha256').update(contentOf(input)).digest('base64')

/** What keeps an update from being made. */
function conflicts(
  draft: TrialDraft,
  existing: { versao: number; created_by: string | null; organizacao: { id: string } },
  actor: Actor,
  anyway: boolean,
): ImportProblem[] {
  const place = (campo: string) =>
    draft.places.get(campo) ?? {
      ...{ folha: null, linha: draft.linhas[0] ?? 1, coluna: null, celula: null, titulo: null, valor: null },
      campo,
    }
  const may = can(actor, 'experiment.edit', {
    owner: existing.created_by,
    organization: existing.organizacao.id,
  })
  if (!may.allowed)
    return [
      {
        ...place(draft.campos.has('codigo') ? 'codigo' : 'id'),
        gravidade: 'erro',
        mensagem: may.reason,
        sugestao: null,
      },
    ]
  const version = Number(draft.campos.get('versao') ?? existing.versao)
  if (Number.isInteger(version) && version < existing.versao && !anyway)
    return [
      {
        ...place('versao'),
        gravidade: 'erro',
        mensagem: 'Este experimento foi alterado depois da exportação',
        sugestao: null,
      },
    ]
  return []
}
