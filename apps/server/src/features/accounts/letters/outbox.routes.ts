import type { FastifyInstance } from 'fastify'
import type { PostOffice } from './post-office.ts'

/** For tests on this machine only; the configuration refuses it anywhere else. */
export function outboxRoute(app: FastifyInstance, { post }: { post: PostOffice }): void {
  app.get('/__outbox', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return post.outbox()
  })
}
