import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { hasOneHost } from '#server/network/hostHeader.ts'

/** The longest WebSocket message. A longer one ends the connection. */
const MAXIMUM_MESSAGE_BYTES = 1024 * 1024

/** These headers are for answers that bypass the HTTP server. */
const POLICY_LINES = "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
const PATH = '/mqtt'
const PROTOCOLS = ['mqtt', 'mqttv3.1']

/** Serves MQTT over WebSocket. A page of another origin is refused: browsers send an Origin, devices none. */
export class WebSocketIngress {
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAXIMUM_MESSAGE_BYTES,
    handleProtocols: (offered) => PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
  })
  readonly #onStream: (stream: Duplex, request: IncomingMessage) => void
  readonly #allowedOrigin: () => string | undefined

  /** @param allowedOrigin the origin of our own pages; undefined when there are none */
  constructor(onStream: (stream: Duplex, request: IncomingMessage) => void, allowedOrigin: () => string | undefined) {
    this.#onStream = onStream
    this.#allowedOrigin = allowedOrigin
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#refusalOf(request)
    if (refusal !== undefined) {
      socket.on('error', () => undefined)
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n${POLICY_LINES}\r\n`)
      return
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#onStream(createWebSocketStream(webSocket), request)
    })
  }

  #refusalOf(request: IncomingMessage): string | undefined {
    const { url = '/', headers } = request
    if (!hasOneHost(request)) return '400 Bad Request'
    if (url.split('?', 1)[0] !== PATH) return '404 Not Found'
    if (headers.origin !== undefined && headers.origin !== this.#allowedOrigin()) return '403 Forbidden'
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
    return offered.some((protocol) => PROTOCOLS.includes(protocol)) ? undefined : '400 Bad Request'
  }

  close(): void {
    this.#server.close()
  }
}
