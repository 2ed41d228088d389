import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll } from 'vitest'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Record<string, unknown>
}

/** The server answers this; it may also write to the response itself, or say nothing. */
type Says =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | object }
  | undefined

/** Starts a foreign HTTP server until the file's last test has ended. It keeps the requests. */
export async function outsideServer(answer: (request: SeenRequest, response: ServerResponse) => Says = () => ({})) {
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const said = { answer }
  const server = createServer(async (incoming, response) => {
    response.on('error', () => undefined)
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const json = text.startsWith('{') ? JSON.parse(text) : {}
    const seen = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, text, json }
    requests.push(seen)
    const says = said.answer(seen, response)
    if (says === undefined) return
    const { status = 200, headers = {}, body = '' } = says
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  afterAll(stop)
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: (next: typeof answer) => {
      said.answer = next
    },
    stop,
  }
}
