import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Command } from '#contract/mqtt/command.ts'
import { commandTopic, settingsTopic } from '#contract/mqtt/topics.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DEFAULT_RETENTION_DAYS } from '#server/db/partitions/partitions.ts'
import { Batches } from '#server/db/queries/Batches.ts'
import { type Clients, createClients } from '#server/network/clients.ts'
import { expectProxyHeaders } from '#server/network/proxyListener.ts'
import type { TlsPorts } from '#server/network/tlsPorts.ts'
import { serverMessage } from '#server/telemetry/ingress/submission.ts'
import type { TelemetryCounters } from '#server/telemetry/ingress/telemetryCounters.ts'
import { WritePath } from '#server/telemetry/write/WritePath.ts'
import type { ConnectedDevices } from './commands/CommandPath.ts'
import { raiseAfterRestore } from './commands/settingsHistory.ts'
import { Greeting } from './Greeting.ts'
import type { GatewayOptions } from './gatewayOptions.ts'
import { DeviceSessions } from './sessions/DeviceSessions.ts'
import { IdentityConflicts } from './sessions/IdentityConflicts.ts'
import { PresenceRecorder } from './sessions/PresenceRecorder.ts'
import { AckFlusher } from './wire/AckFlusher.ts'
import { ConnectionIngress } from './wire/ConnectionIngress.ts'
import { ControlIngress } from './wire/ControlIngress.ts'
import { authenticateDevices, type Credentials, type DeviceIdentity, validKeys } from './wire/credentials.ts'
import { DeviceLink, type LinkDeps } from './wire/DeviceLink.ts'
import { type GatewayCounters, newGatewayCounters } from './wire/gatewayCounters.ts'
import { type IngressClock, ReportIngress } from './wire/ReportIngress.ts'
import { WebSocketIngress } from './wire/WebSocketIngress.ts'

// Nagle's algorithm is off, because an acknowledgement that waits for another costs 40 ms.
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }
/** When it is full, the system drops new connections, which retry after 1, 3 and 7 s. The system may allow fewer. */
const BACKLOG = 4096
const SWEEP_MS = 1000
const SIGN_INS_AT_ONCE = 250
const LEASE_RENEWAL_MS = 4000
/** A stop may take two seconds in all. */
const DRAIN_WITHIN_MS = 1200
const PRESENCE_WITHIN_MS = 500

const reportPoolsOf = ({ pool, reportPools }: GatewayOptions) =>
  reportPools ? { pool: reportPools.beside, lanePools: reportPools.lanes } : { pool }

export interface Gateway extends ConnectedDevices {
  readonly port: number
  readonly tlsPort: number | undefined
  readonly counters: { readonly gateway: GatewayCounters; readonly telemetry: TelemetryCounters }
  readonly connectedDevices: () => number
  readonly devicesWithTwoMachines: () => number
  readonly waiting: () => WritePath['waiting']
  /** Why reports are not being stored, and since when; undefined when all is well. */
  readonly storingTrouble: () => WritePath['trouble']
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends connections with a revoked key or a deleted device now, instead of at the next check within seconds. */
  closeRevoked(): Promise<void>
  /** Merges everything stored so far into the current state now, instead of at the next scheduled merge. */
  mergeState(): Promise<void>
  /** Stores what was read, closes the connections and removes its presence, all within two seconds. */
  stop(): Promise<void>
}

/** Starts the MQTT side of the server: sessions and presence of devices, settings and commands out, reports in. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = new RunningGateway(options)
  try {
    await gateway.start()
  } catch (error) {
    await gateway.stop()
    throw error
  }
  return gateway
}

const MACHINE_CLOCK: IngressClock = { now: () => new Date(), keptDays: () => undefined }

class RunningGateway implements Gateway {
  readonly processId = randomUUID()
  readonly counters: Gateway['counters']
  readonly #pool: pg.Pool
  readonly #options: GatewayOptions
  readonly #log: (sentence: string, detail: object) => void
  readonly #clock: IngressClock
  readonly #writePath
  readonly #presence: PresenceRecorder
  readonly #conflicts: IdentityConflicts
  readonly #sessions: DeviceSessions
  readonly #ingress: ConnectionIngress
  readonly #control: ControlIngress
  readonly #greeting: Greeting
  readonly #clients: Clients
  readonly #webSockets: WebSocketIngress
  readonly #linkDeps: LinkDeps
  readonly #links = new Set<DeviceLink>()
  readonly #server: Server
  #tlsPorts: TlsPorts | undefined
  readonly #endWaiting: () => void = () => undefined
  #timers: NodeJS.Timeout[] = []
  #isStopping = false

  constructor(options: GatewayOptions) {
    this.#options = options
    this.#pool = options.pool
    this.#clients = options.clients ?? createClients()
    this.#log = options.log ?? (() => undefined)
    this.#clock = options.clock ?? MACHINE_CLOCK
    const retentionDays = options.retentionDays ?? DEFAULT_RETENTION_DAYS
    this.#writePath = new WritePath({
      ...reportPoolsOf(options),
      ...(options.lanes === undefined ? {} : { lanes: options.lanes }),
      retentionDays,
      onStored: options.onStored ?? (() => undefined),
      isContested: (deviceId) => this.#conflicts.lasts(deviceId),
      ...ruledBy(options),
      log: (sentence, error) => this.#log(sentence, { error }),
    })
    options.alerts?.attach(this.#writePath)
    const counters = newGatewayCounters()
    this.counters = { gateway: counters, telemetry: this.#writePath.counters }
    this.#presence = new PresenceRecorder({
      pool: options.pool,
      processId: this.processId,
      listens: options.listens,
      onPresence: options.onPresence ?? (() => undefined),
      log: this.#log,
    })
    this.#conflicts = this.#watchConflicts(retentionDays)
    this.#sessions = new DeviceSessions({
      presence: this.#presence,
      onReplacedAlive: (deviceId) => this.#conflicts.noteSign(deviceId, performance.now()),
      messagesPerSecond: options.deviceMessagesPerSecond,
      ...(options.offlineAfterMs === undefined ? {} : { offlineAfterMs: options.offlineAfterMs }),
      onGone: (deviceId) => this.#writePath.forget(deviceId),
    })
    this.#control = this.#makeControl(counters)
    this.#linkDeps = {
      door: new ReportIngress({
        retentionDays,
        clock: this.#clock,
        onReports: (deviceId, reports) => this.#conflicts.reported(deviceId, reports, performance.now()),
        onReply: options.onReply ?? (async () => true),
      }),
      writePath: this.#writePath,
      flusher: new AckFlusher(),
      counters,
      onHeard: (deviceId, nowMs) => this.#sessions.heard(deviceId, nowMs),
      onControl: (link, firstByte, packet) => this.#control.take(link, firstByte, packet),
      onBegun: (link) => this.#control.expect(link),
      onClosed: (link, reason) => {
        this.#ingress.left(link)
        this.#control.forget(link)
        counters.connectionsClosed++
        this.#links.delete(link)
        this.#sessions.closed(link, reason)
      },
      log: this.#log,
    }
    this.#ingress = new ConnectionIngress(counters, (stream, address) => {
      const link = new DeviceLink(stream, address, this.#linkDeps)
      this.#links.add(link)
      return link
    })
    this.#greeting = this.#makeGreeting()
    this.#webSockets = new WebSocketIngress(
      (stream, request) => this.#connected(stream, this.#clients.ofRequest(request)),
      options.consoleOrigin ?? (() => undefined),
    )
    this.#server = createServer(SOCKET_OPTIONS, this.#connectedBySocket)
    if (options.expectsProxyHeader) this.#endWaiting = expectProxyHeaders(this.#server, { clients: this.#clients })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port
  }

  get tlsPort(): number | undefined {
    return this.#tlsPorts?.port
  }

  connectedDevices = () => [...this.#sessions.all()].length

  devicesWithTwoMachines = () => this.#conflicts.count

  storingTrouble = () => this.#writePath.trouble

  waiting = () => this.#writePath.waiting

  mergeState = () => this.#writePath.mergeState()

  deviceIds = () => [...this.#sessions.all()].map(({ deviceId }) => deviceId)

  async start(): Promise<void> {
    await this.#presence.begin()
    await raiseAfterRestore(this.#pool).catch((error: unknown) =>
      this.#log('Nobody knows whether the database was restored: it does not tell its timeline.', { error }),
    )
    if (this.#options.listens !== false) {
      await this.#listen()
      this.#tlsPorts = await this.#options.openTls?.(this.#connectedBySocket, this.#ingress.isKnown)
    }
    this.#timers = [setInterval(() => this.#sweep(), SWEEP_MS), setInterval(() => this.#renew(), LEASE_RENEWAL_MS)]
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      const { port, bindAddress: host } = this.#options
      this.#server.listen({ port, host, backlog: BACKLOG }, () => {
        this.#server.removeListener('error', reject)
        resolve()
      })
    })
  }

  #sweep(): void {
    const nowMs = performance.now()
    this.#ingress.sweep(nowMs)
    this.#control.sweep(nowMs)
    this.#sessions.sweep(nowMs)
    this.#conflicts.look(this.#sessions.all(), nowMs)
    if (this.#clock.keptDays() !== undefined || this.#writePath.isHolding) return
    for (const link of [...this.#links]) if (link.hasHeld) link.close('disconnected')
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#webSockets.handleUpgrade(request, socket, head)
  }

  takesCommands(deviceId: DeviceId): boolean {
    return this.#commandedLink(deviceId) !== undefined
  }

  sendCommand(deviceId: DeviceId, commandId: string, command: Command): boolean {
    const link = this.#commandedLink(deviceId)
    if (link?.session === undefined) return false
    const topic = commandTopic(link.session.guid, commandId)
    return link.tell({ topic, payload: JSON.stringify(command), qos: 1, retain: false })
  }

  /** A command goes to the newest connection only, because an older one may be dead without knowing. */
  #commandedLink(deviceId: DeviceId): DeviceLink | undefined {
    const session = this.#sessions.of(deviceId)
    return session?.links.findLast((link) => link.wants(commandTopic(session.guid, 'any')))
  }

  async sendSettings(deviceId: DeviceId): Promise<void> {
    const session = this.#sessions.of(deviceId)
    const wanting = session?.links.filter((link) => link.wants(settingsTopic(session.guid))) ?? []
    for (const link of wanting) await this.#greeting.sendSettings(link)
  }

  async closeRevoked(): Promise<void> {
    const deviceIds = this.deviceIds()
    if (deviceIds.length > 0) this.#sessions.closeRevoked(await validKeys(this.#pool, deviceIds), deviceIds)
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#timers.forEach(clearInterval)
    const closed = Promise.all([new Promise((resolve) => this.#server.close(resolve)), this.#tlsPorts?.close()])
    this.#endWaiting()
    this.#ingress.close()
    for (const link of this.#links) link.stopReading()
    await this.#writePath.stop(DRAIN_WITHIN_MS)
    // The acknowledgements of the last batch are sent by the microtasks after it.
    await new Promise((resolve) => setImmediate(resolve))
    const ended = this.#presence.end().catch((error: unknown) => {
      this.#log('Presence could not be taken back at the stop.', { error })
    })
    for (const link of [...this.#links]) link.close('server_stopped')
    this.#webSockets.close()
    await closed
    // The lease simply expires when there is no database.
    await Promise.race([ended, sleep(PRESENCE_WITHIN_MS, undefined, { ref: false })])
  }

  readonly #connectedBySocket = (socket: Socket) => this.#connected(socket, this.#clients.ofConnection(socket))

  #connected(stream: Duplex, address: string): void {
    if (this.#isStopping) {
      stream.destroy()
      return
    }
    this.#ingress.take(stream, address)
  }

  #makeGreeting(): Greeting {
    const { pool, cipher, inOrder = (_deviceId, work) => work() } = this.#options
    return new Greeting({ pool, cipher, now: this.#clock.now, inOrder, log: this.#log })
  }

  #makeControl(counters: GatewayCounters): ControlIngress {
    const signIns = new Batches<Credentials, DeviceIdentity | undefined>(SIGN_INS_AT_ONCE, (shown) =>
      authenticateDevices(this.#pool, shown),
    )
    return new ControlIngress({
      counters,
      authenticate: (shown) => signIns.ask(shown),
      onLimited: this.#options.onLimited ?? (() => undefined),
      shareWrongKeys: this.#options.shareWrongKeys,
      onKnown: (link, identity) => {
        if (link.isClosed || this.#isStopping) return
        link.keyHash = identity.keyHash
        this.#ingress.signedIn(link)
        link.accept(this.#sessions.open(identity, link, performance.now()))
      },
      onSubscribed: (link, filters) => this.#greeting.greet(link, filters),
      log: this.#log,
    })
  }

  #renew(): void {
    const work = this.#presence.renew(this.#sessions.all()).then(() => this.closeRevoked())
    work.catch((error: unknown) => this.#log('The lease of this process could not be renewed.', { error }))
    this.#conflicts
      .refresh()
      .catch((error: unknown) => this.#log('Which devices two machines report for could not be read.', { error }))
  }

  #watchConflicts(keptDays: number): IdentityConflicts {
    const { pool, onPresence = () => undefined } = this.#options
    return new IdentityConflicts({
      ...{ pool, processId: this.processId, keptDays, log: this.#log },
      onChanged: onPresence,
      onBegun: (deviceId) => {
        const nowMs = this.#clock.now().getTime()
        this.#writePath.submit(serverMessage(deviceId, TWO_MACHINES, nowMs))
      },
    })
  }
}

const TWO_MACHINES =
  'Two machines report as this device: its configuration is on both. Download its configuration again and put it on the ' +
  'right one; the other cannot connect any more then.'

function ruledBy({ alerts, onAlerts = () => undefined }: GatewayOptions) {
  if (alerts === undefined) return {}
  return { rules: alerts.rules, onAlerts, onLateReadings: (devices: ReadonlySet<DeviceId>) => alerts.noteLate(devices) }
}
