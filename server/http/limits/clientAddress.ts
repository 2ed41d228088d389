import type { Server } from 'node:http'
import type { FastifyHttpOptions, FastifyInstance, FastifyServerFactory } from 'fastify'
import type { Clients } from '#server/network/clients.ts'
import { expectProxyHeaders } from '#server/network/proxyListener.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the client behind trusted proxies: for limits, audit and logs. Fastify's own `ip` is that of the connection. */
    clientAddress: string
  }
}

/** From the first hook on, every request knows its client. */
export function nameClients(app: FastifyInstance, clients: Clients): void {
  app.decorateRequest('clientAddress', '')
  app.addHook('onRequest', async (request) => {
    request.clientAddress = clients.ofRequest(request.raw)
  })
}

/**
 * For Fastify: the server that it would make itself, on which each connection begins with a PROXY header.
 *
 * @param onServer gets what ends the connections that still owe their header
 */
export const proxiedServer =
  (clients: Clients, onServer: (endWaiting: () => void) => void): FastifyServerFactory =>
  (listener, options) => {
    const { http, keepAliveTimeout, requestTimeout } = options as FastifyHttpOptions<Server>
    // An import of it would load all that it can hand out, a client of the web among it: 3 MB.
    const { createServer } = process.getBuiltinModule('node:http')
    const server = createServer({ ...http, keepAliveTimeout, requestTimeout }, listener)
    onServer(expectProxyHeaders(server, { clients }))
    return server
  }
