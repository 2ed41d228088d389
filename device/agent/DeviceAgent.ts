import { createHash } from 'node:crypto'
import { releasePath } from '#contract/mqtt/client.ts'
import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { withoutEnd } from '#domain/texts/withoutEnd.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { BatteryTests } from './automatic/BatteryTests.ts'
import { createDataCount } from './automatic/dataCount.ts'
import { createStartCount } from './automatic/startCount.ts'
import { DeviceClock } from './clocks/DeviceClock.ts'
import { createServerClock, type ServerClock } from './clocks/serverClock.ts'
import { bootClock, type SteadyClock } from './clocks/steadyClock.ts'
import { type Answers, createAnswers } from './commands/answers.ts'
import { createCommandExecutor } from './commands/commands.ts'
import { createHearing } from './commands/incoming.ts'
import { Link } from './link/Link.ts'
import { download } from './link/linkDownload.ts'
import { createReporter } from './reporting/reporter.ts'
import { Sampler } from './Sampler.ts'
import { openAppliedSections } from './settings/appliedSections.ts'
import { createExecute } from './settings/execute.ts'
import { type FirstSettings, type Settings, SettingsApplier } from './settings/SettingsApplier.ts'
import { Steering } from './settings/Steering.ts'
import type { DeviceStore, Entry, Unkept } from './store/deviceStore.ts'
import { Outbox } from './store/Outbox.ts'
import type { ClientPlace } from './updates/clientPlace.ts'
import { UpdateInstaller, type UpdateInstallerDeps } from './updates/UpdateInstaller.ts'

export interface AgentOptions {
  readonly guid: DeviceGuid
  readonly key: string
  readonly mqttUrl: string
  readonly httpUrl: string
  /** The public keys of releases, base64 of 32 bytes, are read at each update. */
  readonly releaseKeys: () => readonly string[]
  /** Absent when nothing could start another client. */
  readonly clientPlace?: ClientPlace | undefined
  readonly firstSettings: FirstSettings
  readonly clientVersion: string
  readonly store: DeviceStore
  readonly hardware: Hardware
  /** The clock of this computer, which may be wrong. */
  readonly now: () => number
  /** Measures durations; only tests replace this computer's clock. */
  readonly monotonicMs?: () => number
  /** Only tests use another period than an hour. */
  readonly askTimeEveryMs?: number | undefined
  /** Returns at least 0 and less than 1. */
  readonly random: () => number
  /** The period between two samples of the hardware. */
  readonly lookEveryMs: number
  readonly onLooked?: (() => void) | undefined
  /** False for a program that simulates many devices, because they all start whenever it does. */
  readonly countsStarts?: boolean
  /** Writes to the log of the program; the server gets its own messages. */
  readonly log: (line: string) => void
}

/** The program beside one display: it connects, reports and carries out commands (architecture: Devices). */
export interface Agent {
  readonly guid: DeviceGuid
  /** Starts after `afterMs`, so that many agents do not begin at the same moment. */
  start(afterMs?: number): void
  stop(): Promise<void>
  isUp(): boolean
  settings(): Settings
  /** Publishes below the device's root without the outbox what is not a present report. Resolves at the PUBACK. */
  publish(topic: string, payload: string): Promise<void>
  /** Sends a message to the operators and writes it to the log. */
  say(msg: string): void
  readonly store: DeviceStore
}

export class DeviceAgent implements Agent {
  readonly guid: DeviceGuid
  readonly store: DeviceStore
  readonly #options: AgentOptions
  readonly #root: string
  readonly #clock: DeviceClock<Entry | Unkept>
  readonly #outbox: Outbox
  readonly #parts: ReturnType<typeof createParts>
  readonly #answers: Answers
  readonly #update: UpdateInstaller
  readonly #connection: ConnectionLog
  readonly #link: Link
  readonly #sampler: Sampler
  #isSending = false

  constructor(options: AgentOptions) {
    const { guid, store, hardware, clientVersion } = options
    this.guid = guid
    this.store = store
    this.#options = options
    this.#root = topicRoot(guid)
    const steady = steadyClockOf(options)
    const serverClock = createServerClock(steady.now)
    this.#clock = new DeviceClock({
      ...{ ownNow: options.now, steady, serverClock, store, say: this.say, askEveryMs: options.askTimeEveryMs },
      // The server answers each subscription to its time with the time.
      ask: () => this.#link.subscribe(timeTopic(guid)),
    })
    const timed = { ...options, now: this.#clock.now, say: this.say }
    this.#outbox = new Outbox({
      store,
      keep: this.#clock.record,
      publish: (topic, payload) => this.publish(topic, payload),
      isUp: () => this.#link.isUp && this.#isSending,
      onStored: (topic) => {
        if (topic.startsWith('events/')) this.#update.healthy()
      },
    })
    const reporter = createReporter(this.#outbox)
    this.#parts = createParts(timed, serverClock, (known) => {
      hardware.fit(known)
      this.#update.hear(known.client)
    })
    this.#answers = createAnswers({ store, publish: this.#reply })
    this.#update = new UpdateInstaller({
      ...timed,
      version: clientVersion,
      place: options.clientPlace,
      fetchRelease: fetchReleaseFrom(options),
      publish: this.#reply,
      isUp: () => this.#link.isUp,
    })
    this.#connection = new ConnectionLog(this.say, options.log)
    this.#link = this.#buildLink()
    this.#sampler = new Sampler({ ...timed, ...this.#parts, reporter, link: this.#link })
  }

  isUp(): boolean {
    return this.#link.isUp
  }

  settings(): Settings {
    return this.#parts.settings.current()
  }

  publish(topic: string, payload: string): Promise<void> {
    return this.#link.publish(this.#root + topic, payload)
  }

  readonly say = (msg: string): void => {
    const { log } = this.#options
    log(msg)
    this.#outbox
      .record('messages', this.#clock.now(), (at) => ({ at: at.toISOString(), msg }))
      .catch((error: Error) => log(`Message not kept: ${error.message}`))
  }

  start(afterMs = 0): void {
    this.#sampler.begin(afterMs, () => {
      this.#update.start()
      this.#link.start()
    })
  }

  async stop(): Promise<void> {
    this.#sampler.end()
    this.#update.stop()
    await this.#link.stop()
    this.#options.hardware.close?.()
  }

  readonly #reply = (id: string, content: object): Promise<void> =>
    this.publish(`replies/${id}`, JSON.stringify(content))

  readonly #lookAtAll = (): Promise<void> => this.#sampler.once('whole')

  #buildLink(): Link {
    const { mqttUrl, key, random, hardware, clientVersion } = this.#options
    const { settings, executor } = this.#parts
    return new Link({
      url: mqttUrl,
      guid: this.guid,
      key,
      filters: [timeTopic(this.guid), settingsTopic(this.guid), commandsFilter(this.guid)],
      random,
      onMessage: createHearing({
        ...{ root: this.#root, settings, executor, answers: this.#answers, reply: this.#reply },
        ...{ learnTime: this.#clock.learn, hardware, clientVersion, lookAtAll: this.#lookAtAll, say: this.say },
      }),
      onUp: () => this.#goUp(),
      onDown: (reason) => this.#goDown(reason),
      onFailed: (reason, retryInMs) => this.#connection.failed(reason, retryInMs),
    })
  }

  #goUp(): void {
    this.#answers.up()
    this.#update.up()
    this.#connection.up()
    this.#clock.up(() => {
      this.#isSending = true
      this.#outbox.up()
      // The present is reported first; what was recorded before waits in the backlog.
      void this.#lookAtAll()
    })
  }

  #goDown(reason: string): void {
    this.#clock.down()
    this.#isSending = false
    this.#outbox.down()
    this.#connection.down(reason)
  }
}

function steadyClockOf({ monotonicMs }: AgentOptions): SteadyClock {
  const boot = bootClock()
  return monotonicMs === undefined ? boot : { epoch: boot.epoch, now: monotonicMs }
}

/** Creates what carries out settings and commands, and what the device does by itself. */
function createParts(
  { key, store, hardware, firstSettings, log, now, say, countsStarts }: AgentOptions & Pick<Agent, 'say'>,
  serverClock: ServerClock,
  onKnown: (known: Settings) => void,
) {
  const onUnexpected = (error: unknown) => log(`Unexpected: ${error instanceof Error ? error.stack : String(error)}`)
  const applied = openAppliedSections(store)
  const batteryTests = new BatteryTests({
    ...{ hardware, store, now, say },
    schedule: () => applied.get('batteryTest', 1)?.schedule ?? null,
  })
  const execute = createExecute({ hardware, applied, batteryTests, onUnexpected })
  const settings = new SettingsApplier({
    ...{ store, epoch: epochOf(key), first: firstSettings },
    ...{ applied, execute, onKnown },
  })
  const executor = createCommandExecutor({
    store,
    serverClock,
    execute: (one) => (one.name.endsWith('.apply') ? settings.inQueue(() => execute(one)) : execute(one)),
    onUnexpected,
  })
  hardware.fit(settings.current())
  const soon = { remembered: store.remembered, remember: store.rememberSoon }
  const startCount = countsStarts ? createStartCount({ store: soon, now }) : undefined
  const dataCount = createDataCount({
    ...{ hardware, store: soon, now },
    budget: () => applied.get('dataBudget', 1)?.budget ?? null,
  })
  const steering = new Steering({ hardware, applied, store: soon, onUnexpected })
  return { settings, executor, batteryTests, dataCount, startCount, steering }
}

/**
 * Identifies settings that were received with this key. A server that owned the device before may have sent any
 * version, and it knows the key, so a new key is due anyway; the key itself stays in its file alone.
 */
const epochOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)

/** Downloads a release from the server that the device is connected to. */
function fetchReleaseFrom({ httpUrl, guid, key }: AgentOptions): UpdateInstallerDeps['fetchRelease'] {
  const httpRoot = withoutEnd(httpUrl, '/')
  return (offer, rest) => download({ url: httpRoot + releasePath(offer.sha256), guid, key, ...rest })
}

/** Informs operators how long the connection was away; everything else goes to the log. */
class ConnectionLog {
  readonly #say: Agent['say']
  readonly #log: AgentOptions['log']
  #downSinceMs: number | undefined

  constructor(say: Agent['say'], log: AgentOptions['log']) {
    this.#say = say
    this.#log = log
  }

  up(): void {
    if (this.#downSinceMs === undefined) this.#say('Connected.')
    else this.#say(`Reconnected after ${formatDuration((performance.now() - this.#downSinceMs) / 1000)}.`)
  }

  down(reason: string): void {
    this.#downSinceMs = performance.now()
    this.#log(`Disconnected: ${reason}.`)
  }

  failed(reason: string, retryInMs: number): void {
    this.#log(`No connection (${reason}); next try in ${formatDuration(Math.round(retryInMs / 1000))}.`)
  }
}
