import { formatNumber, viewQuestion } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import {
  digestQueued,
  dueDigests,
  keepSums,
  lastSums,
  MOST_OPENED,
  newestSince,
  sumOf,
  type ViewSum,
  viewsFollowed,
  wantsDigest,
  weekOf,
} from './digest.repository.ts'
import { type Letters, lineOf, type Tokens } from './telling.ts'

const NAMED = 10
const MOST_VIEWS = 20

interface Reference {
  person: string
  organization: string
  at: string
  since: string
}

/** 'Resumo semanal': what the week brought, as the person may see it when the letter leaves; nothing new, no letter. */
export function createDigest({
  wall,
  owner,
  accounts,
  tokens,
  siteUrl,
}: {
  wall: Wall
  owner: Handle
  accounts: Pick<AccountsFeature, 'tell' | 'wakePost'>
  tokens: Tokens
  siteUrl: string
}) {
  // Of `tell`, sealed since.
  const parsed = (reference: string) => JSON.parse(reference) as Reference

  const sumsOf = async (handle: Handle) => {
    const sums: (ViewSum & { id: string; nome: string })[] = []
    for (const { id, nome, estado } of await viewsFollowed(handle, MOST_VIEWS))
      sums.push({ id, nome, ...(await sumOf(handle, viewQuestion(estado))) })
    return sums
  }

  const letters: Letters = {
    async told(reference) {
      const { person, organization, since } = parsed(reference)
      const handle = wall.for({ id: person, organization })
      if (!(await wantsDigest(handle))) return null
      const from = new Date(since)
      const week = await weekOf(handle, from)
      const before = new Map((await lastSums(owner, person)).map((sum) => [sum.vista_id, sum]))
      const views = (await sumsOf(handle)).flatMap(({ id, nome, ...now }) => {
        const then = before.get(id)
        const same = then && then.total === now.total && then.media === now.media
        return same || (!then && now.total === 0)
          ? []
          : [{ text: viewLine(nome, now, then), link: `${siteUrl}/v/${id}?org=${organization}` }]
      })
      const counted = [
        [week.importacoes, 'importação gravada', 'importações gravadas'],
        [week.ofertas, 'compartilhamento aguarda resposta', 'compartilhamentos aguardam resposta'],
        [week.convites, 'convite em aberto', 'convites em aberto'],
        [week.avisos, 'ensaio passou pelos seus avisos', 'ensaios passaram pelos seus avisos'],
      ] as const
      const others = counted.flatMap(([n, one, many]) =>
        n > 0 ? [{ text: `${formatNumber(n, 0)} ${n === 1 ? one : many}` }] : [],
      )
      const trials = week.proprios + week.recebidos
      if (trials === 0 && views.length === 0 && others.length === 0) return null
      const named = trials > 0 ? await newestSince(handle, from, NAMED) : []
      const token = tokens.of(`${person}_${organization}`)
      return {
        person,
        subject: 'Resumo semanal',
        about: 'Resumo semanal',
        sections: [
          {
            title: `Ensaios da semana: ${formatNumber(week.proprios, 0)} ${week.proprios === 1 ? 'próprio' : 'próprios'}, ${received(week.recebidos)}`,
            lines: [
              ...named.map((trial) => ({
                text: lineOf(trial),
                link: `${siteUrl}/experimentos/${trial.id}?org=${organization}`,
              })),
              ...(trials > named.length
                ? [{ text: `e mais ${many(trials - named.length, week.recebidos)}` }]
                : []),
            ],
          },
          ...(views.length > 0 ? [{ title: 'O que mudou nas suas vistas', lines: views }] : []),
          ...(others.length > 0 ? [{ title: 'Também nesta semana', lines: others }] : []),
        ],
        action: { label: 'Abrir o dashboard', link: `${siteUrl}/dashboard?org=${organization}` },
        end: { label: 'Não receber mais o resumo semanal', link: `${siteUrl}/encerrar-aviso/${token}` },
        unsubscribe: `${siteUrl}/api/alerts/unsubscribe/${token}`,
      }
    },
    async sent(reference) {
      const { person, organization } = parsed(reference)
      await keepSums(owner, person, await sumsOf(wall.for({ id: person, organization })))
    },
    failed: async () => undefined,
  }

  return {
    letters,
    /** Queues the digests that are due. */
    async tell(now = new Date()): Promise<void> {
      const due = await dueDigests(owner, now)
      for (const { pessoa_id: person, organizacao_id: organization, desde } of due)
        await owner.transaction().execute(async (transaction) => {
          await digestQueued(transaction, { person, organization, at: now })
          const reference: Reference = {
            person,
            organization,
            at: now.toISOString(),
            since: desde.toISOString(),
          }
          await accounts.tell(transaction, person, `digest ${JSON.stringify(reference)}`)
        })
      if (due.length > 0) accounts.wakePost()
    },
  }
}

const many = (n: number, opened: number) =>
  opened > MOST_OPENED ? `de ${formatNumber(n - 1, 0)}` : formatNumber(n, 0)
const received = (n: number) =>
  n > MOST_OPENED
    ? `mais de ${formatNumber(MOST_OPENED, 0)} recebidos`
    : `${formatNumber(n, 0)} ${n === 1 ? 'recebido' : 'recebidos'}`

const sum = ({ total, media }: ViewSum) =>
  `${formatNumber(total, 0)} ${total === 1 ? 'ensaio' : 'ensaios'}${media === null ? '' : `, média ${formatNumber(media, 0)} kg/ha`}`

const viewLine = (name: string, now: ViewSum, then: ViewSum | undefined): string =>
  `${name}: ${sum(now)}${then ? ` (antes: ${sum(then)})` : ''}`
