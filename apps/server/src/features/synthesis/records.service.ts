import {
  can,
  effectText,
  effectUnit,
  filterValues,
  Problem,
  problem,
  type SynthesisAnswer,
  type SynthesisChanges,
  type SynthesisQuery,
  type SynthesisRecord,
  searchable,
  type WholeSynthesis,
} from '@ensaio/domain'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import {
  insertRecord,
  recordById,
  recordByKey,
  recordsOf,
  removeRecord,
  type StoredSynthesis,
  type SynthesisContent,
} from './records.repository.ts'
import type { Syntheses } from './synthesis.service.ts'

/** Trials that a change names. */
const MOST_NAMED = 50

/** Syntheses that people recorded: own ones, and those that others of the organisation share. */
export function createSynthesisRecords({
  wall,
  syntheses,
  namesOf,
}: {
  wall: Wall
  syntheses: Syntheses
  namesOf: AccountsFeature['namesOf']
}) {
  const present = async (actor: Actor, rows: readonly StoredSynthesis[]) => {
    const people = rows.flatMap(({ quem }) => quem ?? [])
    const names = await namesOf(wall.for(actor), [...new Set(people)])
    return rows.map((row) => {
      // Its title may tell of trials, too; the options say nothing but what was asked.
      const oculta = row.ocultos > 0
      return {
        ...{ id: row.id, compartilhada: row.compartilhada, opcoes: row.opcoes, motor: row.motor },
        titulo: oculta ? '' : row.titulo,
        conclusao: oculta ? '' : row.conclusao,
        quem: names.get(row.quem ?? '') ?? null,
        propria: row.quem === actor.id,
        quando: row.quando.toISOString(),
        ensaios: oculta ? 0 : row.ensaios,
        desatualizada: oculta || row.mudados > 0,
        oculta,
      }
    })
  }

  const stored = async (actor: Actor, id: string) => {
    const row = await recordById(wall.for(actor), id)
    if (!row) throw problem('synthesis.not_found')
    return row
  }

  const get = async (actor: Actor, id: string): Promise<WholeSynthesis> => {
    const row = await stored(actor, id)
    const [registro] = await present(actor, [row])
    if (!registro) throw problem('synthesis.not_found')
    return { ...registro, sintese: registro.oculta ? null : withoutHidden(row) }
  }

  const list = async (actor: Actor) => present(actor, await recordsOf(wall.for(actor)))

  return {
    get,
    list,

    /**
     * Finds the latest record that asked the same with the same options, and says what of it is another in the answer
     * of now; null where there is none that is wholly seen.
     */
    async matching(actor: Actor) {
      const seen = (await list(actor)).filter(({ oculta }) => !oculta)
      return async (
        query: SynthesisQuery,
        now: SynthesisAnswer,
      ): Promise<{ registro: WholeSynthesis; sintese: SynthesisAnswer; mudou: string[] } | null> => {
        const asked = optionsText(query)
        const same = seen.find(({ opcoes }) => optionsText(opcoes) === asked)
        const registro = same && (await get(actor, same.id))
        if (!registro?.sintese) return null
        const { frases } = changesOf(registro.sintese, now)
        const later = 'ensaios foram alterados depois, sem mudar os efeitos'
        const mudou = frases.length === 0 && registro.desatualizada ? [later] : frases
        return { registro, sintese: registro.sintese, mudou }
      }
    },

    /** A repeated key gives the record that it made. @throws request.key_reused where that said something else */
    async keep(
      actor: Actor,
      { titulo, conclusao, compartilhada, ...opcoes }: SynthesisRecord,
      key: string | null,
    ): Promise<WholeSynthesis> {
      if (actor.closed) throw problem('organization.closed')
      if (!can(actor, 'experiment.create').allowed) throw problem('permission.denied')
      const content: SynthesisContent = { opcoes, titulo, conclusao, compartilhada }
      const handle = wall.for(actor)
      const earlier = async (): Promise<string | null> => {
        const made = key === null ? null : await recordByKey(handle, { key, by: actor.id, content })
        if (made && !made.same) throw problem('request.key_reused')
        return made?.id ?? null
      }
      const before = await earlier()
      if (before) return get(actor, before)
      const resposta = await syntheses.answer(actor, opcoes)
      const { ensaios, fora, motor } = JSON.parse(resposta) as SynthesisAnswer
      // Those that are named among the left out are told of, too.
      const experimentos = [...new Set([...ensaios, ...fora].map(({ experimento_id }) => experimento_id))]
      const made =
        (await insertRecord(handle, {
          ...{ ...content, resposta, experimentos, motor, by: actor.id, key },
          organization: actor.organization,
        })) ?? (await earlier())
      if (!made) throw tooMany()
      return get(actor, made)
    },

    /** The same question now, with what is another than it was. @throws synthesis.none */
    async rerun(actor: Actor, id: string): Promise<{ sintese: SynthesisAnswer; mudancas: SynthesisChanges }> {
      const row = await stored(actor, id)
      const sintese = JSON.parse(await syntheses.answer(actor, row.opcoes)) as SynthesisAnswer
      const before = row.ocultos > 0 ? null : row.resposta
      return { sintese, mudancas: before ? changesOf(before, sintese) : UNTOLD }
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const row = await stored(actor, id)
      if (row.quem !== actor.id) throw problem('permission.denied')
      if (!(await removeRecord(wall.for(actor), id, actor.id))) throw problem('synthesis.not_found')
    },

    /** All that a person recorded, for the export of their account. */
    async *createdBy(reader: Reader) {
      const handle = wall.for(reader)
      for (const { id, quem } of await recordsOf(handle)) {
        const row = quem === reader.id ? await recordById(handle, id) : null
        if (!row || row.ocultos > 0) continue
        const { quem: _, ocultos: __, sem_custos: ___, mudados: ____, resposta, ...record } = row
        yield { ...record, sintese: withoutHidden({ ...row, resposta }) }
      }
    },
  }
}
export type SynthesisRecords = ReturnType<typeof createSynthesisRecords>

/** What was told of gains is told no more where the costs of a trial are hidden now. */
function withoutHidden({
  resposta,
  sem_custos,
}: StoredSynthesis & { resposta: SynthesisAnswer }): SynthesisAnswer {
  if (sem_custos === 0) return resposta
  const { economia: _, ...answer } = resposta
  const { economia: __, ...frases } = answer.frases
  return { ...answer, frases }
}

/** Options that ask the same are the same text: what is empty asks nothing, and names are compared as they are found. */
const optionsText = (query: SynthesisQuery): string =>
  JSON.stringify(
    Object.entries(query)
      .map(([key, value]): [string, string[]] => {
        const values = filterValues(typeof value === 'number' ? String(value) : value).sort()
        return [key, key === 'produto' ? values.map(searchable) : values]
      })
      .filter(([, values]) => values.length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const UNTOLD: SynthesisChanges = {
  frases: ['O registro usa ensaios que você já não vê: só os números de agora são mostrados.'],
  entraram: [],
  sairam: [],
  mudaram: [],
}

function changesOf(before: SynthesisAnswer, now: SynthesisAnswer): SynthesisChanges {
  const old = new Map(before.ensaios.map((trial) => [trial.experimento_id, trial]))
  const own = new Map(now.ensaios.map((trial) => [trial.experimento_id, trial]))
  const names = (trials: readonly { nome: string }[]) => trials.slice(0, MOST_NAMED).map(({ nome }) => nome)
  const entered = now.ensaios.filter(({ experimento_id }) => !old.has(experimento_id))
  const gone = before.ensaios.filter(({ experimento_id }) => !own.has(experimento_id))
  const changed = now.ensaios.filter(({ experimento_id, efeito, ep }) => {
    const was = old.get(experimento_id)
    return was !== undefined && (was.efeito !== efeito || was.ep !== ep)
  })
  const [a, b] = [before.reml_hk, now.reml_hk]
  const told = (answer: SynthesisAnswer, value: number) =>
    `${effectText(value, answer, { sign: true })}${effectUnit(answer)}`
  const frases = [
    ...(entered.length > 0 ? [`Ensaios que entraram: ${entered.length}`] : []),
    ...(gone.length > 0 ? [`Ensaios que saíram: ${gone.length}`] : []),
    ...(changed.length > 0 ? [`Ensaios com outro efeito ou erro: ${changed.length}`] : []),
    ...(!('motivo' in a) && !('motivo' in b) && a.estimativa !== b.estimativa
      ? [`A estimativa era ${told(before, a.estimativa)} e agora é ${told(now, b.estimativa)}`]
      : []),
    ...(before.motor !== now.motor ? [`O motor era ${before.motor} e agora é ${now.motor}`] : []),
  ]
  return { frases, entraram: names(entered), sairam: names(gone), mudaram: names(changed) }
}

const tooMany = () =>
  new Problem('validation.failed', {
    fields: [{ path: 'registro', message: 'Uma pessoa guarda no máximo 500 sínteses registradas' }],
  })
