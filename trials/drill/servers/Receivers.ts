import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createSilentServer, type Server as TcpServer } from 'node:net'
import type pg from 'pg'
import { routingIn } from '#server/testing/devices/raisedIncidents.ts'
import { type MailServer, startMailServer } from '#testing/mailServer.ts'

/** A mail server and a foreign webhook, which answer, stay silent, or are gone; they remember what they took. */
export class Receivers {
  readonly mailPort: number
  readonly webhookPort: number
  /** Counts notices by incident. */
  readonly told = new Map<number, number>()
  /** Counts mails by Message-ID. */
  readonly mails = new Map<string, number>()
  #mail: MailServer | undefined
  #webhook: Server | undefined
  #silent: readonly TcpServer[] = []
  readonly #sockets = new Set<Socket>()

  static async open(): Promise<Receivers> {
    const mail = await startMailServer()
    const webhook = createServer()
    webhook.listen(0, '127.0.0.1')
    await once(webhook, 'listening')
    const { port } = webhook.address() as AddressInfo
    await Promise.all([mail.stop(), new Promise((resolve) => webhook.close(resolve))])
    const receivers = new Receivers(mail.port, port)
    await receivers.listen()
    return receivers
  }

  private constructor(mailPort: number, webhookPort: number) {
    this.mailPort = mailPort
    this.webhookPort = webhookPort
  }

  /** A server that notifies them needs these settings. */
  get settings(): Readonly<Record<string, string>> {
    return {
      WAYSIDE_SMTP_URL: `smtp://127.0.0.1:${this.mailPort}`,
      WAYSIDE_OUTBOUND_ALLOW: '127.0.0.1',
    }
  }

  /** Subscribes to every incident of devices in service, by mail and at the webhook. */
  async subscribe(owner: pg.Pool): Promise<void> {
    await owner.query('update device set status_id = 2')
    const { channel, route } = routingIn(owner)
    const mail = await channel('mail', { settings: { recipient: 'ops@signs.example' } })
    const webhook = await channel('webhook', { secret: `http://127.0.0.1:${this.webhookPort}/incidents` })
    await route([mail, webhook].map((channelId) => ({ afterMinutes: 0, channelId })))
  }

  hasMailOf(key: string): boolean {
    return [...this.mails.keys()].some((messageId) => messageId.includes(key))
  }

  async listen(): Promise<void> {
    await this.#endSilence()
    this.#mail = await startMailServer(this.mailPort, {
      onMail: ({ messageId }) => void this.mails.set(messageId, (this.mails.get(messageId) ?? 0) + 1),
    })
    const webhook = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const { data } = JSON.parse(text) as { data: { incidentId?: number } }
      if (data.incidentId !== undefined) this.told.set(data.incidentId, (this.told.get(data.incidentId) ?? 0) + 1)
      response.end()
    })
    this.#webhook = await this.#listening(webhook, this.webhookPort)
  }

  /** Closes their ports. */
  async goAway(): Promise<void> {
    await this.#endSilence()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#webhook?.close(resolve)
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all([this.#mail?.stop(), this.#webhook && promise])
    this.#mail = undefined
    this.#webhook = undefined
  }

  /** Accepts connections and says nothing. */
  async fallSilent(): Promise<void> {
    await this.goAway()
    this.#silent = await Promise.all(
      [this.mailPort, this.webhookPort].map((port) => this.#listening(createSilentServer(), port)),
    )
  }

  async #listening<Listener extends TcpServer>(server: Listener, port: number): Promise<Listener> {
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => undefined)
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  async #endSilence(): Promise<void> {
    const ended = this.#silent.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const socket of this.#sockets) socket.destroy()
    this.#silent = []
    await Promise.all(ended)
  }
}
