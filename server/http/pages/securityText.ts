import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '#domain/units/time.ts'

interface SecurityTextDeps {
  readonly securityContact?: string | undefined
  readonly publicUrl?: string | undefined
}

/** RFC 9116 asks for less than a year; every request gets a fresh date. */
const VALID_DAYS = 90

/** Serves `/.well-known/security.txt`, which says where to report a weakness. */
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
