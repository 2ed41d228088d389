import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { releasePath } from '#contract/mqtt/client.ts'

interface Request {
  readonly authorization: string | undefined
  readonly fromBytes: number
  /** The bytes of the body that were sent. */
  sentBytes: number
}

/** A real HTTP server that serves releases as the product does. */
export interface ReleaseServer {
  readonly url: string
  readonly asked: Request[]
  add(sha256: string, file: Uint8Array): void
  remove(sha256: string): void
  /** Replaces the next answers, the first one first. */
  readonly next: ((response: ServerResponse, file: Uint8Array) => void)[]
  stop(): Promise<void>
}

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(code, headers).end('{"code":"refused"}')
  }

/** Sends the beginning of the whole file, and breaks the connection. */
export const cutAfter = (bytes: number) => (response: ServerResponse, file: Uint8Array) => {
  response.writeHead(200, { 'content-length': file.length })
  response.write(file.subarray(0, bytes), () => setTimeout(() => response.destroy(), 50))
}

export async function startReleaseServer(): Promise<ReleaseServer> {
  const files = new Map<string, Uint8Array>()
  const asked: Request[] = []
  const next: ReleaseServer['next'] = []
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    const fromBytes = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const question = { authorization: request.headers.authorization, fromBytes, sentBytes: 0 }
    asked.push(question)
    if (!file) return status(404)(response)
    const instead = next.shift()
    if (instead) return instead(response, file)
    if (fromBytes >= file.length) return status(416, { 'content-range': `bytes */${file.length}` })(response)
    const body = file.subarray(fromBytes)
    question.sentBytes = body.length
    const range = { 'content-range': `bytes ${fromBytes}-${file.length - 1}/${file.length}` }
    response.writeHead(fromBytes > 0 ? 206 : 200, { 'content-length': body.length, ...(fromBytes > 0 ? range : {}) })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    next,
    add: (sha256, file) => void files.set(releasePath(sha256), file),
    remove: (sha256) => void files.delete(releasePath(sha256)),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
