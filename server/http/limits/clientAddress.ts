import type { Server } from 'node:http'
import type { FastifyHttpOptions, FastifyInstance, FastifyServerFactory } from 'fastify'
import type { Clients } from '#server/network/clients.ts'
import { expectProxyHeaders } from '#server/network/proxyListener.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address behind trusted proxies. Fastify's own `ip` is that of the connection. */
    clientAddress: string
  }
}

/** Gives every request its client's address before any other hook runs. */
export function nameClients(app: FastifyInstance, clients: Clients): void {
  app.decorateRequest('clientAddress', '')
  app.addHook('onRequest', async (request) => {
    request.clientAddress = clients.ofRequest(request.raw)
  })
}

/**
 * Makes the server that Fastify would make, with a PROXY header at the beginning of each connection.
 * @param onServer receives a function that ends the connections which still owe their header
 */
export const proxiedServer =
  (clients: Clients, onServer: (endWaiting: () => void) => void): FastifyServerFactory =>
  (listener, options) => {
    const { http, keepAliveTimeout, requestTimeout } = options as FastifyHttpOptions<Server>
    // A static import would load everything that node:http can offer, its WebSocket client included: 3 MB.
    const { createServer } = process.getBuiltinModule('node:http')
    const server = createServer({ ...http, keepAliveTimeout, requestTimeout }, listener)
    onServer(expectProxyHeaders(server, { clients }))
    return server
  }
