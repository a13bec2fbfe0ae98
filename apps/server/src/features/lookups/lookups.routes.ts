import {
  ALWAYS_OFFERED_CROPS,
  BRANDS,
  CROPS,
  can,
  contract,
  isRefusal,
  PRODUCTS_BY_BRAND,
  problem,
  REGIONS,
  STATES,
  searchable,
} from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import { buckets } from '../../http/buckets.ts'
import { subscriber } from '../../http/client-address.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { isDatabaseAway } from '../../http/problem-reply.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { proposeName } from './admin-lookups.repository.ts'
import {
  findCities,
  offeredBrands,
  offeredCrops,
  offeredProducts,
  offeredRegions,
  states,
} from './lookups.repository.ts'

/** Short: an administrator's change shows soon. */
const LIFE_S = 60
const MOST_CITIES = 30
/** Of one address: an office that types cities. */
export const RATE = { capacity: 200, perSecond: 30 }

/** Public lists that a form offers. When the database cannot be asked, the built-in ones stand in. */
export function lookupRoutes(
  route: Route,
  {
    handle,
    wall,
    authenticate,
    limited,
  }: {
    /** In nobody's name: what is offered to everybody. */
    handle: Handle
    wall: Wall
    authenticate: AccountsFeature['authenticate']
    limited: boolean
  },
): void {
  const take = buckets(RATE)
  const options = {
    async before({ ip }: FastifyRequest) {
      const retryAfter = limited ? take(subscriber(ip)) : 0
      if (retryAfter > 0) throw problem('request.too_many', { retryAfter })
    },
  }
  /** Whoever asks with a session, where there are several organisations: theirs are names of their own. */
  const memberOf = async (request: FastifyRequest): Promise<Actor | null> => {
    if (request.headers.authorization === undefined) return null
    try {
      const actor = await authenticate(request)
      return actor.several ? actor : null
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  }
  const orBuiltIn = async <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    ask: (handle: Handle, own: boolean) => Promise<T>,
    builtIn: T,
  ): Promise<T> => {
    reply.header('vary', 'authorization, x-organization')
    try {
      const member = await memberOf(request)
      const found = await (member ? ask(wall.for(member), true) : ask(handle, false))
      reply.header('cache-control', member ? 'private, no-store' : `public, max-age=${LIFE_S}`)
      return found
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      return builtIn
    }
  }

  route(
    contract.lookupBrands,
    async ({ request, reply }) => ({
      marcas: await orBuiltIn(request, reply, offeredBrands, [...BRANDS]),
    }),
    options,
  )

  route(
    contract.lookupRegions,
    async ({ request, reply }) => ({
      regioes: await orBuiltIn(request, reply, offeredRegions, [...REGIONS]),
    }),
    options,
  )

  route(
    contract.lookupStates,
    async ({ request, reply }) => ({
      estados: await orBuiltIn(request, reply, states, [...STATES]),
    }),
    options,
  )

  route(
    contract.lookupCrops,
    async ({ request, reply }) => {
      const offered = await orBuiltIn<string[]>(request, reply, offeredCrops, [...CROPS])
      return { culturas: [...new Set([...offered, ...ALWAYS_OFFERED_CROPS])] }
    },
    options,
  )

  route(
    contract.lookupProducts,
    async ({ request, reply }) => {
      const builtIn = Object.entries(PRODUCTS_BY_BRAND).map(([marca, produtos]) => ({
        marca,
        produtos: [...produtos],
      }))
      const offered = await orBuiltIn(request, reply, offeredProducts, builtIn)
      return { produtosPorMarca: Object.fromEntries(offered.map(({ marca, produtos }) => [marca, produtos])) }
    },
    options,
  )

  route(contract.proposeLookup, async ({ actor, body: { tipo, nome } }) => {
    if (!actor.several || !can(actor, 'experiment.share').allowed) throw problem('permission.denied')
    if (!(await proposeName(wall.for(actor), tipo, nome))) throw problem('lookup.not_found')
    return { message: 'Proposta enviada a quem administra a instalação.' }
  })

  route(
    contract.lookupCities,
    async ({ query, reply }) => {
      const busca = searchable(query.busca ?? '')
      const estado = query.estado?.toUpperCase() || undefined
      const municipios = await findCities(handle, { busca, estado, limit: MOST_CITIES })
      reply.header('cache-control', `public, max-age=${LIFE_S}`)
      return { municipios }
    },
    options,
  )
}
