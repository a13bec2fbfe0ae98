import { randomUUID } from 'node:crypto'
import {
  type ChangeResult,
  type FieldChange,
  type FieldPackage,
  type LabelsQuery,
  Problem,
  problem,
  readChange,
  type SettleBody,
  takesBack,
} from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { typeset } from '../../jobs/typeset.ts'
import { shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Photos } from '../photos/photos.service.ts'
import type { CellWrite, Outcome, Trials } from '../trials/trials.service.ts'
import { noteTaken, plotOfLabel, touchDevice } from './devices.repository.ts'
import {
  lettersOf,
  packageOf,
  presentChange,
  presentConflict,
  presentParked,
  structureOf,
  trialName,
} from './field-package.ts'
import { labelFile } from './label-file.ts'
import { teamNames } from './team.repository.ts'

const MOST_DEVICES = 200
/** Entries of one device. */
const MOST_A_DAY = 50_000
const FLOOD_WAIT_S = 3600
/** Entries that are told at once. */
const PAGE = 2000
/** What says that the person may not write there, whatever has become of it. */
const WITHOUT_RIGHT = new Set(['experiment.not_found', 'permission.denied', 'share.received'])
const FOREIGN = 'Este ensaio não está disponível para esta conta'

/** A guest's one trial. @throws experiment.not_found */
function ofGuest({ guest }: Actor, id: string): void {
  if (guest && guest.experiment !== id.toLowerCase()) throw problem('experiment.not_found')
}

const refused = (id: string | null, motivo: string | null): ChangeResult => ({
  ...{ id, estado: 'recusado', revisao: null, valor: null, quem: null, quando: null, motivo },
})

/** What phones take to the field and bring back. */
export function createField({
  wall,
  experiments,
  trials,
  photos,
  namesOf,
  mac,
  siteUrl,
}: {
  wall: Wall
  experiments: Experiments
  trials: Trials
  photos: Photos
  namesOf: AccountsFeature['namesOf']
  mac: AccountsFeature['mac']
  siteUrl: string
}) {
  /** @throws device.revoked, device.too_many, request.too_many */
  const greet = async (
    handle: Handle,
    { id: person, sessionId: session, guest }: Actor,
    of: { device: string; waiting: number | null; brings: number },
  ) => {
    const known = await touchDevice(handle, { ...of, person, session, most: guest ? null : MOST_DEVICES })
    if (!known) throw problem('device.too_many')
    if (known.revoked) throw problem('device.revoked')
    if (known.today > MOST_A_DAY) throw problem('request.too_many', { retryAfter: FLOOD_WAIT_S })
  }

  const named = async (handle: Handle, outcomes: readonly Outcome[]): Promise<ChangeResult[]> => {
    const people = [...new Set(outcomes.flatMap(({ atual }) => atual.pessoa ?? []))]
    const names = await namesOf(handle, people)
    return outcomes.map(({ id, estado, atual, razao }) => ({
      ...{ id, estado, revisao: atual.id, valor: atual.valor },
      ...{
        quem: atual.coletor ?? names.get(atual.pessoa ?? '') ?? null,
        quando: atual.quando,
        motivo: razao,
      },
    }))
  }

  /** Entries of one trial; of one that their maker has no right to any more, only whether they were kept. */
  const ofTrial = async (
    actor: Actor,
    id: string,
    device: string,
    writes: readonly CellWrite[],
  ): Promise<ChangeResult[]> => {
    const handle = wall.for(actor)
    try {
      const outcomes = await trials.cells.writeEach(actor, id, writes)
      // Asked for again with the same entry, where this was cut off.
      const back = writes.flatMap(({ entry }, at) =>
        entry.tipo === 'foto' && takesBack(entry) && outcomes[at]?.estado === 'aplicado'
          ? (entry.base ?? [])
          : [],
      )
      if (back.length > 0) await photos.takeBack(actor, id, back)
      return await named(handle, outcomes)
    } catch (error) {
      if (!(error instanceof Problem && WITHOUT_RIGHT.has(error.code))) throw error
      const kept = await trials.cells.keepWithoutRight(actor, id, { device, writes })
      return writes.map(({ entry }) => {
        const before = kept.get(entry.id)
        if (!before) return refused(entry.id, FOREIGN)
        const { estado, razao } = before
        const waits = estado === 'guardado' ? 'Guardado no servidor, aguardando decisão' : null
        return { ...refused(entry.id, null), estado, motivo: razao ?? waits }
      })
    }
  }

  /** @throws experiment.not_found, permission.denied, share.received, trial.none */
  const pack = async (actor: Actor, id: string): Promise<FieldPackage> => {
    ofGuest(actor, id)
    await experiments.authorise(actor, 'plots.collect', id)
    const handle = wall.for(actor)
    const experiment = await experiments.get(actor, id)
    const taken = await trials.cells.forField(actor, id)
    const people = [...taken.current, ...taken.open].flatMap(({ pessoa_id }) => pessoa_id ?? [])
    const names = await namesOf(handle, [...new Set(people)])
    return {
      ...packageOf(experiment, taken, names, (numbers) => lettersOf(id, numbers, mac)),
      decide: !actor.guest && experiment.permissoes.editar,
      equipe: await teamNames(handle, id),
    }
  }

  return {
    /** One result each, in order; one bad entry never holds the others. @throws request.too_large and what `greet` throws */
    async receive(
      actor: Actor,
      body: { aparelho: string; registros: readonly unknown[]; pendentes?: number | undefined },
    ) {
      const handle = wall.for(actor)
      if (actor.guest && body.aparelho !== actor.guest.device) throw problem('permission.denied')
      await greet(handle, actor, {
        ...{ device: body.aparelho, waiting: body.pendentes ?? null },
        brings: body.registros.length,
      })
      const results: (ChangeResult | undefined)[] = body.registros.map(() => undefined)
      const byTrial = new Map<string, { at: number; write: CellWrite }[]>()
      body.registros.forEach((given, at) => {
        const read = readChange(given)
        if (read.kind === 'none') results[at] = refused(read.id, read.reason)
        else {
          const head = read.kind === 'change' ? read.change : read.head
          const write =
            read.kind === 'change' ? writeOf(actor, read.change) : newer(actor, read.head, read.raw)
          if (head.aparelho !== body.aparelho)
            results[at] = refused(head.id, 'O registro é de outro aparelho')
          else if (actor.guest && head.experimento !== actor.guest.experiment)
            results[at] = refused(head.id, FOREIGN)
          else byTrial.set(head.experimento, [...(byTrial.get(head.experimento) ?? []), { at, write }])
        }
      })
      const twice = await trials.cells.usedTwice(
        actor,
        body.aparelho,
        [...byTrial.values()].flat().map(({ write }) => write),
      )
      for (const [id, items] of byTrial) {
        const answers = await ofTrial(
          actor,
          id,
          body.aparelho,
          items.map(({ write }) => write),
        )
        items.forEach(({ at }, n) => {
          results[at] = answers[n]
        })
      }
      const [only] = byTrial.size === 1 ? byTrial.keys() : []
      return {
        resultados: results.map((result) => result ?? refused(null, FOREIGN)),
        hora_servidor: new Date().toISOString(),
        cursor: only === undefined ? null : String(await trials.cells.last(actor, only)),
        ...(twice && { aparelho_novo: randomUUID() }),
      }
    },

    /** @throws experiment.not_found, share.received */
    async changesAfter(actor: Actor, id: string, after: number) {
      ofGuest(actor, id)
      await experiments.authorise(actor, 'experiment.history', id)
      const handle = wall.for(actor)
      const { rows, versao, corpo } = await trials.cells.after(actor, id, { after, limit: PAGE + 1 })
      const shown = rows.slice(0, PAGE)
      const names = await namesOf(handle, [...new Set(shown.flatMap(({ pessoa_id }) => pessoa_id ?? []))])
      return {
        registros: shown.map((row) => presentChange(row, names)),
        cursor: String(shown.at(-1)?.ordem ?? after),
        mais: rows.length > PAGE,
        versao,
        ...(corpo && { estrutura: structureOf(corpo) }),
      }
    },

    /** Entries without a place and open conflicts, for who may settle them. @throws experiment.not_found, permission.denied */
    async parked(actor: Actor, id: string) {
      await experiments.authorise(actor, 'plots.edit', id)
      const rows = await trials.cells.parked(actor, id)
      const open = await trials.cells.conflicts(actor, id)
      const makers = [...rows, ...open.flatMap(({ row, by }) => (by ? [row, by] : [row]))]
      const people = [...new Set(makers.flatMap(({ pessoa_id }) => pessoa_id ?? []))]
      const names = await namesOf(wall.for(actor), people)
      return {
        registros: rows.map((row) => presentParked(row, names)),
        conflitos: open.map((one) => presentConflict(one, names)),
      }
    },

    /** An entry without a place, or a conflict. @throws change.settled, experiment.not_found, permission.denied */
    async settle(actor: Actor, { id, change }: { id: string; change: string }, body: SettleBody) {
      const outcome =
        body.acao === 'decidir'
          ? await trials.cells.decide(actor, id, change, body)
          : await trials.cells.settle(actor, id, change, body.acao === 'colocar' ? body : null)
      return { resultado: outcome ? ((await named(wall.for(actor), [outcome]))[0] ?? null) : null }
    },

    /** How a trial is collected, and which letter is which treatment: for who edits it. */
    async settings(actor: Actor, id: string) {
      await experiments.authorise(actor, 'plots.edit', id)
      const experiment = await experiments.get(actor, id)
      const { blind, numbers, blocks } = await trials.cells.blindness(actor, id)
      const letters = lettersOf(id, numbers, mac)
      return {
        as_cegas: blind,
        blocos: blocks,
        letras: numbers.map((tratamento) => ({
          tratamento,
          nome: experiment.tratamentos[tratamento - 1]?.nome ?? null,
          letra: letters.get(tratamento) ?? '',
        })),
      }
    },
    /** @throws trial.none, experiment.not_found, permission.denied */
    setCollection: trials.cells.setCollection,

    /** The plot of a label, to who sees its trial; a code alone opens nothing. @throws label.not_found */
    async label(actor: Actor, code: string) {
      const plot = await plotOfLabel(wall.for(actor), code.toUpperCase())
      if (!plot) throw problem('label.not_found')
      const experiment = await experiments.get(actor, plot.experimento).catch((error: unknown) => {
        throw error instanceof Problem && error.code === 'experiment.not_found'
          ? problem('label.not_found')
          : error
      })
      return { ...plot, nome: trialName(experiment) }
    },

    /** @throws what `pack` throws, device.revoked, device.too_many */
    async take(actor: Actor, id: string, asked: string | null): Promise<FieldPackage> {
      const device = actor.guest?.device ?? asked
      const taken = await pack(actor, id)
      if (device !== null) {
        const handle = wall.for(actor)
        await greet(handle, actor, { device, waiting: null, brings: 0 })
        await noteTaken(handle, { person: actor.id, device, experiment: id })
      }
      return taken
    },
    /** What `take` would answer; nothing is noted. */
    pack,
    /** Labels of the plots as a PDF. @throws what `pack` throws, server.busy */
    labels: async (actor: Actor, id: string, query: LabelsQuery): Promise<Buffer> =>
      typeset(labelFile(await pack(actor, id), query, siteUrl), shareOf(actor)),
  }
}
export type Field = ReturnType<typeof createField>

/** Who collected, where that is somebody else than the account; a guest is who the invitation says. */
const collectorOf = ({ guest, name }: Actor, said: string | null): string | null =>
  guest?.name ?? (said !== null && said !== '' && said !== name ? said : null)

const writeOf = (actor: Actor, change: FieldChange): CellWrite => ({
  decide: change.decide,
  entry: {
    ...{ id: change.id, pessoa_id: actor.id, origem: 'campo', aparelho: change.aparelho, seq: change.seq },
    coletor: collectorOf(actor, change.nome),
    ...{ tipo: change.tipo, parcela: change.parcela, variavel: change.variavel },
    ...{ avaliacao: change.avaliacao, amostra: change.amostra, valor: change.valor },
    motivo: change.motivo ?? (change.tipo === 'sem_valor' ? 'outro' : null),
    ...{ base: change.base, confirmado: change.confirmado },
    // One spelling of a moment, also where the entry is told from what is kept.
    quando: new Date(change.quando).toISOString(),
    extra: {
      ...{ pacote: change.pacote, desvio_ms: change.desvio_ms, posicao: change.posicao },
      ...{ arquivo: change.arquivo, rotulos: change.rotulos },
    },
  },
})

/** What a newer application made is kept as it came, without a place. */
const newer = (
  actor: Actor,
  head: { id: string; aparelho: string; seq: number },
  raw: unknown,
): CellWrite => ({
  decide: null,
  entry: {
    ...{ id: head.id, pessoa_id: actor.id, origem: 'campo', aparelho: head.aparelho, seq: head.seq },
    ...{
      coletor: collectorOf(actor, null),
      tipo: 'valor',
      parcela: null,
      variavel: null,
      avaliacao: null,
      amostra: null,
    },
    ...{ valor: null, motivo: null, base: null, quando: new Date().toISOString(), confirmado: false },
    extra: { como_veio: raw },
  },
})
