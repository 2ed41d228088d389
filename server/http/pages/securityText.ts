import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '#domain/units/time.ts'

interface SecurityTextDeps {
  readonly securityContact?: string | undefined
  readonly publicUrl?: string | undefined
}

/** RFC 9116 wants less than a year; whoever looks gets a fresh one each time. */
const VALID_DAYS = 90

/** `/.well-known/security.txt`: how somebody who found a weakness reaches whoever runs this server. */
export function registerSecurityText(app: FastifyInstance, { securityContact, publicUrl }: SecurityTextDeps): void {
  if (securityContact === undefined) return
  const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
    const expires = new Date(Math.floor(Date.now() / DAY_MS + VALID_DAYS) * DAY_MS)
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl}/.well-known/security.txt`]),
    ]
    return reply.header('content-type', 'text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  }
  app.route({ method: ['GET', 'HEAD'], url: '/.well-known/security.txt', handler })
}
