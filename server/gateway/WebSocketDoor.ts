import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'

/** Longest WebSocket message; a longer one ends the connection. */
const MAXIMUM_MESSAGE_BYTES = 1024 * 1024

/** MQTT over WebSocket: upgrades become streams like those of TCP. */
export class WebSocketDoor {
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAXIMUM_MESSAGE_BYTES,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : offered.has('mqttv3.1') ? 'mqttv3.1' : false),
  })
  readonly #onStream: (stream: Duplex, request: IncomingMessage) => void

  constructor(onStream: (stream: Duplex, request: IncomingMessage) => void) {
    this.#onStream = onStream
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#onStream(createWebSocketStream(webSocket), request)
    })
  }

  close(): void {
    this.#server.close()
  }
}
