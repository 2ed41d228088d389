import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { FastifyInstance } from 'fastify'
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

interface ProxiedServerNeeds {
  readonly clients: Clients
  readonly options: ServerOptions
  /** Gets what ends the connections that still owe their header. */
  readonly onStop: (endWaiting: () => void) => void
}

/** For Fastify: the server that it would make itself, on which each connection begins with a PROXY header. */
export const proxiedServer =
  ({ clients, options, onStop }: ProxiedServerNeeds) =>
  (listener: RequestListener): Server => {
    const server = createServer(options, listener)
    onStop(expectProxyHeaders(server, { clients }))
    return server
  }
