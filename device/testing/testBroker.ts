import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Aedes, type Client, type PublishPacket } from 'aedes'
import { passTime } from '#testing/passTime.ts'

/** One report that the broker acknowledged. */
export interface Received {
  readonly guid: string
  /** The topic is relative to the device's root. */
  readonly topic: string
  readonly at: string
  readonly values: Readonly<Record<string, number | string>>
}

export interface TestBroker {
  readonly url: string
  /** Every acknowledged report in order of arrival; arrays are split. */
  readonly reports: Received[]
  readonly messages: { readonly guid: string; readonly msg: string }[]
  readonly replies: { readonly commandId: string; readonly reply: { ok: boolean; text: string; errors: string[] } }[]
  readonly packets: { readonly topic: string; readonly bytes: number; readonly reportCount: number }[]
  /** Nothing is acknowledged while it is true. */
  isDeaf: boolean
  connectedCount(): number
  send(topic: string, payload: unknown): Promise<void>
  /** Delivers to every connected client whatever it has subscribed to, which no correct broker does. */
  deliver(topic: string, payload: unknown, isRetained: boolean): void
  /** Ends every connection and the port; `start` opens the same port again. */
  stop(): Promise<void>
  start(): Promise<void>
}

export interface TestBrokerOptions {
  readonly settings?: (guid: string) => unknown
  readonly now?: () => Date
  readonly ackDelayMs?: number
  readonly isAllowed?: (guid: string, key: string) => boolean
}

/** A real MQTT broker as the server: it sends time and settings on subscribe, and keeps acknowledged reports. */
export async function startTestBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const sockets = new Set<Socket>()
  const clients = new Set<Client>()
  let port = 0
  let aedes: Aedes
  let listener: Server

  const broker: TestBroker = {
    get url() {
      return `mqtt://127.0.0.1:${port}`
    },
    reports: [],
    messages: [],
    replies: [],
    packets: [],
    isDeaf: false,
    connectedCount: () => aedes.connectedClients,
    send: (topic, payload) => publish(topic, payload),
    deliver: (topic, payload, isRetained) => {
      for (const client of clients) {
        const text = JSON.stringify(payload)
        client.publish(
          { cmd: 'publish', dup: false, retain: isRetained, qos: 1, topic, payload: text },
          () => undefined,
        )
      }
    },
    start: async () => {
      aedes = await Aedes.createBroker()
      aedes.authenticate = (client, username, password, done) => {
        const isAllowed = options.isAllowed?.(username ?? '', String(password)) ?? true
        Object.assign(client, { guid: username })
        if (isAllowed) done(null, true)
        else done(Object.assign(new Error('not allowed'), { returnCode: 4 }), false)
      }
      aedes.authorizePublish = (_, packet, done) => {
        if (broker.isDeaf) return
        keep(broker, packet)
        if (options.ackDelayMs) setTimeout(done, options.ackDelayMs, null)
        else done(null)
      }
      aedes.on('clientDisconnect', (client) => clients.delete(client))
      aedes.on('subscribe', (subscriptions, client) => {
        clients.add(client)
        for (const { topic } of subscriptions) welcome(client, topic)
      })
      listener = createServer((socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        aedes.handle(socket)
      })
      listener.listen(port, '127.0.0.1')
      await once(listener, 'listening')
      const address = listener.address()
      port = typeof address === 'object' && address ? address.port : 0
    },
    stop: async () => {
      const closed = once(listener, 'close')
      listener.close()
      for (const socket of sockets) socket.destroy()
      await closed
      await new Promise<void>((resolve) => aedes.close(resolve))
    },
  }

  const publish = (topic: string, payload: unknown) =>
    new Promise<void>((resolve, reject) => {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
      aedes.publish({ cmd: 'publish', dup: false, retain: false, qos: 1, topic, payload: text }, (error) =>
        error ? reject(error) : resolve(),
      )
    })
  const welcome = (client: Client, topic: string) => {
    const [, , guid = '', below] = topic.split('/')
    const settings = below === 'settings' && options.settings?.(guid)
    const now = options.now?.() ?? new Date()
    const payload = below === 'time' ? { now: now.toISOString() } : settings
    if (!payload) return
    client.publish(
      { cmd: 'publish', dup: false, retain: below === 'settings', qos: 1, topic, payload: JSON.stringify(payload) },
      () => undefined,
    )
  }

  await broker.start()
  return broker
}

function keep(broker: TestBroker, { topic, payload }: PublishPacket): void {
  const [, , guid = '', ...rest] = topic.split('/')
  const below = rest.join('/')
  const content = JSON.parse(payload.toString())
  if (below.startsWith('events/')) {
    const reports = Array.isArray(content) ? content : [content]
    broker.packets.push({ topic: below, bytes: payload.length, reportCount: reports.length })
    for (const { at, values } of reports) broker.reports.push({ guid, topic: below, at, values })
  } else if (below === 'messages') broker.messages.push({ guid, msg: content.msg })
  else if (below.startsWith('replies/')) broker.replies.push({ commandId: rest[1] ?? '', reply: content })
}

/** Waits until it is true; fails with the sentence after the time limit. */
export async function until(isTrue: () => boolean, sentence: string, withinMs = 30_000): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!isTrue()) {
    if (performance.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${sentence}`)
    await passTime(10, 'it is looked at again')
  }
}
