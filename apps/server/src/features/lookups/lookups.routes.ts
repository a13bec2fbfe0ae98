import {
  ALWAYS_OFFERED_CROPS,
  BRANDS,
  CROPS,
  contract,
  PRODUCTS_BY_BRAND,
  problem,
  REGIONS,
  STATES,
  searchable,
} from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../../database/handle.ts'
import { buckets } from '../../http/buckets.ts'
import { subscriber } from '../../http/client-address.ts'
import type { Route } from '../../http/contract-routes.ts'
import { isDatabaseAway } from '../../http/problem-reply.ts'
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
export function lookupRoutes(route: Route, { handle, limited }: { handle: Handle; limited: boolean }): void {
  const take = buckets(RATE)
  const options = {
    async before({ ip }: FastifyRequest) {
      const retryAfter = limited ? take(subscriber(ip)) : 0
      if (retryAfter > 0) throw problem('request.too_many', { retryAfter })
    },
  }
  const cached = (reply: FastifyReply) => reply.header('cache-control', `public, max-age=${LIFE_S}`)
  const orBuiltIn = async <T>(reply: FastifyReply, ask: Promise<T>, builtIn: T): Promise<T> => {
    try {
      const found = await ask
      cached(reply)
      return found
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      return builtIn
    }
  }

  route(
    contract.lookupBrands,
    async ({ reply }) => ({
      marcas: await orBuiltIn(reply, offeredBrands(handle), [...BRANDS]),
    }),
    options,
  )

  route(
    contract.lookupRegions,
    async ({ reply }) => ({
      regioes: await orBuiltIn(reply, offeredRegions(handle), [...REGIONS]),
    }),
    options,
  )

  route(
    contract.lookupStates,
    async ({ reply }) => ({
      estados: await orBuiltIn(reply, states(handle), [...STATES]),
    }),
    options,
  )

  route(
    contract.lookupCrops,
    async ({ reply }) => {
      const offered = await orBuiltIn<string[]>(reply, offeredCrops(handle), [...CROPS])
      return { culturas: [...new Set([...offered, ...ALWAYS_OFFERED_CROPS])] }
    },
    options,
  )

  route(
    contract.lookupProducts,
    async ({ reply }) => {
      const builtIn = Object.entries(PRODUCTS_BY_BRAND).map(([marca, produtos]) => ({
        marca,
        produtos: [...produtos],
      }))
      const offered = await orBuiltIn(reply, offeredProducts(handle), builtIn)
      return { produtosPorMarca: Object.fromEntries(offered.map(({ marca, produtos }) => [marca, produtos])) }
    },
    options,
  )

  route(
    contract.lookupCities,
    async ({ query, reply }) => {
      const busca = searchable(query.busca ?? '')
      const estado = query.estado?.toUpperCase() || undefined
      const municipios = await findCities(handle, { busca, estado, limit: MOST_CITIES })
      cached(reply)
      return { municipios }
    },
    options,
  )
}
