import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { authError, invalid } from '../errors/auth-error.ts'
import type { FactorProof, Factors } from '../factors/factors.service.ts'
import type { Limits } from '../limits/limits.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { Asked } from './auth-v1.bodies.ts'

const LONGEST_NAME = 100

const Path = z.object({ id: z.string() })

/** /factors of auth/v1, registered within its conventions. */
export function factorRoutes(
  app: FastifyInstance,
  { factors, sessions, limits }: { factors: Factors; sessions: Sessions; limits: Limits },
): void {
  const idOf = (params: unknown) => {
    const { id } = Path.parse(params)
    if (!z.uuid().safeParse(id).success)
      throw authError('validation_failed', { status: 404, message: 'factor_id must be an UUID' })
    return id
  }

  app.post('/factors', async (request) => {
    const live = await sessions.required(request)
    const body = Asked.enrol.parse(request.body ?? {})
    return factors.enrol(live, {
      factorType: body.factor_type ?? '',
      friendlyName: [...(body.friendly_name ?? '')].slice(0, LONGEST_NAME).join(''),
      issuer: body.issuer,
    })
  })

  app.post('/factors/:id/challenge', async (request) => {
    const live = await sessions.required(request)
    await limits.perAddress('factor_challenge', request.ip)
    return factors.challenge(live, idOf(request.params))
  })

  app.post('/factors/:id/verify', async (request) => {
    const live = await sessions.required(request)
    await limits.perAddress('factor_verify', request.ip)
    const id = idOf(request.params)
    const body = Asked.factor.parse(request.body ?? {})
    const proof: FactorProof | null = body.webauthn
      ? { credential: body.webauthn.credential_response }
      : body.code
        ? { code: body.code }
        : null
    if (!proof) throw invalid('Code needs to be non-empty')
    const challengeId = z.uuid().safeParse(body.challenge_id)
    if (!challengeId.success)
      throw authError('mfa_factor_not_found', {
        status: 422,
        message: 'MFA factor with the provided challenge ID not found',
      })
    return factors.verify(live, id, { challengeId: challengeId.data, proof })
  })

  app.delete('/factors/:id', async (request) => {
    const live = await sessions.required(request)
    return factors.unenrol(live, idOf(request.params))
  })
}
