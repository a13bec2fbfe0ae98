import { randomInt } from 'node:crypto'
import {
  contract,
  detailOf,
  drawnPlots,
  drawOrder,
  type Experiment,
  fieldProblems,
  formatNumber,
  type ImportError,
  ImportMap,
  isRefusal,
  MOST_PLOTS,
  problem,
  type TrialSheet,
  TrialSheetInput,
} from '@ensaio/domain'
import { powerTable } from '@ensaio/statistics'
import type { FastifyRequest } from 'fastify'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { readKey } from '../../http/idempotency-key.ts'
import { parseField } from '../../http/json-body.ts'
import { readUpload } from '../../http/upload.ts'
import { tableOf, tableTooLarge } from '../../jobs/tables.ts'
import type { Workbooks } from '../../jobs/workbooks.ts'
import { shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { lettersOf } from '../field/field-package.ts'
import { cvBands, cvsOf, putCvBands } from './analyses.repository.ts'
import type { Analyses } from './analysis.service.ts'
import { analysisFile } from './analysis-files.ts'
import type { TrialEconomics } from './economics.service.ts'
import { PLOT_FILE, PLOT_TABLE, plotFile, readPlots } from './plot-files.ts'
import type { QualityPage } from './quality.service.ts'
import type { Trials } from './trials.service.ts'

const NOT_FOUND = { notFound: 'experiment.not_found' } as const
/** A sheet of 100,000 values with their sub-samples. */
const SHEET_LIMIT = 8 * 1024 * 1024
const SEEDS = 2 ** 32
/** What is told of a trial that cannot be analysed, or not so. */
const NO_ANALYSIS = /^(?:analysis|rebuilt)\.|^trial\.none$/
const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
/** Lines that an answer names; the rest is counted. */
const MOST_ERRORS = 1000

/** Plots, analyses and economics of one trial, and planning. */
export function trialRoutes(
  route: Route,
  {
    wall,
    experiments,
    trials,
    analyses,
    economics,
    workbooks,
    qualityPage,
    mac,
  }: {
    wall: Wall
    experiments: Experiments
    trials: Trials
    analyses: Analyses
    economics: TrialEconomics
    workbooks: Workbooks
    qualityPage: QualityPage
    mac: AccountsFeature['mac']
  },
): void {
  /** Letters in place of treatments, where the trial is assessed blind and the person may not change it. */
  const lettersFor = async (actor: Actor, { id, permissoes }: Experiment, { tratamentos }: TrialSheet) =>
    permissoes.editar || !(await trials.isBlind(actor, id))
      ? null
      : lettersOf(
          id,
          tratamentos.map(({ numero }) => numero),
          mac,
        )

  route(contract.experimentQuality, ({ actor, params }) => qualityPage.get(actor, params.id), NOT_FOUND)
  route(
    contract.answerQuality,
    ({ actor, params, body }) => qualityPage.answer(actor, params, body),
    NOT_FOUND,
  )
  route(contract.cropRanges, async () => ({ faixas: qualityPage.ranges() }))
  route(contract.adminQuality, () => qualityPage.overview())
  route(contract.adminPutCropRanges, ({ actor, body }) => qualityPage.putRanges(actor, body.faixas))
  route(contract.getPlots, ({ actor, params }) => trials.get(actor, params.id), NOT_FOUND)

  route(contract.putPlots, ({ actor, params, body }) => trials.put(actor, params.id, body), {
    ...NOT_FOUND,
    bodyLimit: SHEET_LIMIT,
  })

  route(
    contract.patchCells,
    ({ actor, params, body }) => trials.patch(actor, params.id, body.celulas),
    NOT_FOUND,
  )

  route(
    contract.deletePlots,
    async ({ actor, params, query }) => {
      await trials.remove(actor, params.id, query.mesmo_assim === 'true')
      return undefined
    },
    NOT_FOUND,
  )

  route(
    contract.importPlots,
    async ({ actor, params, request }) => {
      // Who may not change anything is told so before a file is read.
      await experiments.authorise(actor, 'plots.edit', params.id)
      const { files, fields } = await readUpload(request, { maxFiles: 1, of: PLOT_FILE })
      const [file] = files
      if (!file) throw problem('import.unreadable')
      if (file.bytes === null) throw tableTooLarge()
      const map = fields.mapa === undefined ? null : parseField(ImportMap, fields.mapa)
      const table = await tableOf(workbooks, file.bytes, {
        aba: fields.aba ?? null,
        limits: PLOT_TABLE,
        who: shareOf(actor),
      })
      const { experiment, sheet } = await trials.forAnalysis(actor, params.id)
      const read = readPlots(table.linhas, { map, experiment, sheet })
      const { erros, mapa, previa } = read
      const told = { mapa, previa, abas: table.abas, avisos: read.avisos ?? [] }
      const checked = read.ficha && TrialSheetInput.safeParse(read.ficha)
      if (checked && !checked.success)
        for (const { path, message } of fieldProblems(checked.error))
          erros.push({ linha: 0, coluna: path, mensagem: message })
      const ficha = checked?.success ? read.ficha : null
      if (fields.gravar !== '1') return { ...told, ficha, versao: null, erros }
      if (erros.length > 0 || !checked?.success) throw wrongRows(erros)
      const { ficha: stored } = await trials.put(actor, params.id, checked.data)
      return { ...told, ficha, versao: stored.versao, erros }
    },
    NOT_FOUND,
  )

  route(
    contract.exportPlots,
    async ({ actor, params, query, reply }) => {
      const { experiment, sheet } = await trials.forAnalysis(actor, params.id)
      if (!sheet) throw problem('trial.none')
      const name = query.tipo === 'dados' ? 'parcelas' : 'ficha-de-campo'
      return reply
        .type(FILE_TYPES[query.formato])
        .header('content-disposition', `attachment; filename="${name}.${query.formato}"`)
        .header('cache-control', 'no-store')
        .send(await plotFile(experiment, sheet, query, await lettersFor(actor, experiment, sheet)))
    },
    NOT_FOUND,
  )

  route(
    contract.drawLayout,
    async ({ actor, params, body }) => {
      const { experiment, sheet } = await trials.forAnalysis(actor, params.id)
      const filled = sheet?.valores.some(({ valores }) => valores.some((value) => value !== null))
      if (filled || (sheet && (await trials.unsent(actor, params.id)) > 0)) throw problem('trial.has_values')
      const { a = 0, b = 0, semente = randomInt(SEEDS) } = body
      const crossed = body.delineamento === 'PSUB' || body.delineamento === 'FAIXAS'
      if (crossed && (a === 0 || b === 0))
        throw problem('validation.failed', {
          fields: [{ path: a === 0 ? 'a' : 'b', message: 'Informe o número de níveis' }],
        })
      const request = {
        ...{ delineamento: body.delineamento, repeticoes: body.repeticoes, a, b, semente },
        tratamentos: crossed ? a * b : (body.tratamentos ?? experiment.n_tratamentos),
        serpentina: body.serpentina,
      }
      const rows = body.delineamento === 'DQL' ? request.tratamentos : body.repeticoes
      if (request.tratamentos * rows > MOST_PLOTS)
        throw problem('validation.failed', {
          fields: [{ path: 'repeticoes', message: `Use no máximo ${formatNumber(MOST_PLOTS)} parcelas` }],
        })
      const ordem = drawOrder(request)
      if (!ordem)
        throw problem('validation.failed', {
          fields: [
            { path: 'delineamento', message: 'Blocos incompletos não são sorteados aqui; informe o croqui' },
          ],
        })
      return { semente, ordem, parcelas: drawnPlots(ordem, request) }
    },
    NOT_FOUND,
  )

  route(
    contract.analysis,
    async ({ actor, params, query: { se_houver, ...query }, request, reply }) => {
      const tag = await analyses.tagOf(actor, params.id, query)
      // Of a trial that cannot be analysed the two questions have other answers.
      const own = se_houver === '1' ? `${tag}-se` : tag
      reply.header('etag', `"${own}"`).header('cache-control', 'private, no-cache')
      if (matches(request, own)) return reply.code(304).send()
      try {
        return { analise: await analyses.answer(actor, params.id, query, tag) }
      } catch (error) {
        if (se_houver !== '1' || !isRefusal(error) || !NO_ANALYSIS.test(error.code)) throw error
        return { analise: null, recusa: { code: error.code, detail: detailOf(error) } }
      }
    },
    NOT_FOUND,
  )

  route(
    contract.recordAnalysis,
    async ({ actor, params, body, request }) => ({
      registro: await analyses.keep(actor, params.id, body, readKey(request)),
    }),
    NOT_FOUND,
  )

  route(
    contract.listAnalyses,
    async ({ actor, params }) => ({ registros: await analyses.list(actor, params.id) }),
    NOT_FOUND,
  )

  route(
    contract.getAnalysis,
    async ({ actor, params }) => ({ registro: await analyses.record(actor, params.id, params.aid) }),
    { notFound: 'analysis.not_found' },
  )

  route(
    contract.withdrawAnalysis,
    async ({ actor, params, body }) => {
      await analyses.withdraw(actor, params.id, params.aid, body.motivo)
      return undefined
    },
    { notFound: 'analysis.not_found' },
  )

  route(
    contract.analysisFile,
    async ({ actor, params, query: { formato }, reply }) => {
      const { registro, experiment } = await analyses.recordWithTrial(actor, params.id, params.aid)
      return reply
        .type(FILE_TYPES[formato])
        .header('content-disposition', `attachment; filename="analise.${formato}"`)
        .header('cache-control', 'no-store')
        .send(await analysisFile(registro, experiment, { formato, who: shareOf(actor) }))
    },
    { notFound: 'analysis.not_found' },
  )

  route(contract.getPrices, ({ actor, params }) => economics.prices(actor, params.id), NOT_FOUND)

  route(contract.putPrices, ({ actor, params, body }) => economics.put(actor, params.id, body), NOT_FOUND)

  route(
    contract.economics,
    async ({ actor, params, query }) => ({ economia: await economics.answer(actor, params.id, query) }),
    NOT_FOUND,
  )

  route(
    contract.economicBase,
    async ({ actor, params }) => ({ base: await economics.base(actor, params.id) }),
    NOT_FOUND,
  )

  route(contract.power, async ({ query }) => ({
    poder: powerTable({
      delineamento: query.delineamento,
      tratamentos: query.tratamentos,
      cv: query.cv,
      diferenca: query.diferenca,
      alfa: Number(query.alfa),
    }),
  }))

  route(contract.adminCvBands, async ({ actor }) => ({ faixas: await cvBands(wall.for(actor)) }))

  route(contract.adminPutCvBands, async ({ actor, body: { faixas } }) => {
    const names = faixas.map(({ cultura, variavel }) => JSON.stringify([cultura, variavel]))
    if (new Set(names).size !== names.length)
      throw problem('validation.failed', {
        fields: [{ path: 'faixas', message: 'Cada cultura e variável aparece uma vez' }],
      })
    await wall
      .for(actor)
      .transaction()
      .execute((transaction) => putCvBands(transaction, faixas))
    analyses.forget()
    return { faixas: await cvBands(wall.for(actor)) }
  })

  route(contract.cvHistory, ({ actor, query }) =>
    cvsOf(wall.for(actor), { cultura: query.cultura, variavel: query.variavel ?? 'produtividade' }),
  )
}

const matches = ({ headers }: FastifyRequest, tag: string): boolean =>
  String(headers['if-none-match'] ?? '')
    .slice(0, 1000)
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === `"${tag}"`)

function wrongRows(erros: readonly ImportError[]) {
  const rows = new Set(erros.map(({ linha }) => linha)).size
  return problem('import.rows', {
    detail: `Há ${rows} ${rows === 1 ? 'linha' : 'linhas'} com problema; nada foi gravado`,
    erros: erros.slice(0, MOST_ERRORS),
  })
}
