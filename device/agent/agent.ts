import { createHash } from 'node:crypto'
import { releasePath } from '#contract/mqtt/client.ts'
import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { withoutEnd } from '#domain/texts/withoutEnd.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { createBatteryTests } from './automatic/batteryTests.ts'
import { createDataCount } from './automatic/dataCount.ts'
import { createStartCount } from './automatic/startCount.ts'
import { createDeviceClock } from './clocks/deviceClock.ts'
import { createServerClock, type ServerClock } from './clocks/serverClock.ts'
import { bootClock } from './clocks/steadyClock.ts'
import { createAnswers } from './commands/answers.ts'
import { createCommandExecutor } from './commands/commands.ts'
import { createHearing } from './commands/incoming.ts'
import { createLink, type Link } from './link/link.ts'
import { download } from './link/linkDownload.ts'
import { createReporter } from './reporting/reporter.ts'
import { createSampler } from './sampling.ts'
import { openAppliedSections } from './settings/appliedSections.ts'
import { createExecute } from './settings/execute.ts'
import { createSettingsApplier, type FirstSettings, type Settings } from './settings/settingsApplier.ts'
import { createSteering } from './settings/steering.ts'
import type { DeviceStore } from './store/deviceStore.ts'
import { createOutbox, type Outbox } from './store/outbox.ts'
import type { ClientPlace } from './updates/clientPlace.ts'
import { createUpdateInstaller, type UpdateInstallerDeps } from './updates/updateInstaller.ts'

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

export function createAgent(options: AgentOptions): Agent {
  const { guid, store, hardware } = options
  const root = topicRoot(guid)
  const { clock, serverClock, timed, say } = createVoice(options, {
    record: (...entry) => outbox.record(...entry),
    // The server answers each subscription to its time with the time.
    askTime: () => link.subscribe(timeTopic(guid)),
  })
  let isSending = false
  const outbox = createOutbox({
    store,
    keep: clock.record,
    publish: (topic, payload) => link.publish(root + topic, payload),
    isUp: () => link.isUp && isSending,
    onStored: (topic) => topic.startsWith('events/') && update.healthy(),
  })
  const reporter = createReporter(outbox)

  const { settings, desk, ...byItself } = createHands(timed, serverClock, say, (known) => {
    hardware.fit(known)
    update.hear(known.client)
  })
  const reply = (id: string, content: object) => link.publish(`${root}replies/${id}`, JSON.stringify(content))
  const answers = createAnswers({ store, publish: reply })
  const update = createUpdateInstaller({
    ...options,
    version: options.clientVersion,
    place: options.clientPlace,
    fetchRelease: fetchReleaseFrom(options),
    publish: reply,
    isUp: () => link.isUp,
    say,
  })

  const lookAtAll = () => looks.once('whole')
  const words = connectionTexts(say, options.log)
  const heard = { root, desk, settings, answers, reply, lookAtAll, say }
  const link: Link = createLink({
    url: options.mqttUrl,
    guid,
    key: options.key,
    filters: [timeTopic(guid), settingsTopic(guid), commandsFilter(guid)],
    random: options.random,
    onMessage: createHearing({ ...options, ...heard, learnTime: clock.learn }),
    onUp: () => {
      answers.up()
      update.up()
      words.up()
      clock.up(() => {
        isSending = true
        outbox.up()
        // The present is reported first; what was recorded before waits in the backlog.
        void lookAtAll()
      })
    },
    onDown: (reason) => {
      clock.down()
      isSending = false
      outbox.down()
      words.down(reason)
    },
    onFailed: words.failed,
  })

  const looks = createSampler({ ...timed, ...byItself, settings, reporter, link, say })

  return {
    guid,
    store,
    say,
    isUp: () => link.isUp,
    settings: settings.current,
    publish: (topic, payload) => link.publish(root + topic, payload),
    start: (afterMs = 0) =>
      looks.begin(afterMs, () => {
        update.start()
        link.start()
      }),
    stop: async () => {
      looks.end()
      update.stop()
      await link.stop()
      hardware.close?.()
    },
  }
}

/** Creates the messages to operators, and the time: the server's, or the device's own until it has arrived. */
function createVoice(
  options: AgentOptions,
  { record, askTime }: { readonly record: Outbox['record']; readonly askTime: () => void },
) {
  const { now, monotonicMs, store, log, askTimeEveryMs: askEveryMs } = options
  const say = (msg: string) => {
    log(msg)
    record('messages', clock.now(), (at) => ({ at: at.toISOString(), msg })).catch((error: Error) =>
      log(`Message not kept: ${error.message}`),
    )
  }
  const boot = bootClock()
  const steady = monotonicMs === undefined ? boot : { epoch: boot.epoch, now: monotonicMs }
  const serverClock = createServerClock(steady.now)
  const clock = createDeviceClock({ ownNow: now, steady, serverClock, store, say, ask: askTime, askEveryMs })
  return { serverClock, clock, timed: { ...options, now: clock.now }, say }
}

function createHands(
  { key, store, hardware, firstSettings, log, now, countsStarts }: AgentOptions,
  serverClock: ServerClock,
  say: Agent['say'],
  onKnown: (known: Settings) => void,
) {
  const onUnexpected = (error: unknown) => log(`Unexpected: ${error instanceof Error ? error.stack : String(error)}`)
  const applied = openAppliedSections(store)
  const batteryTests = createBatteryTests({
    ...{ hardware, store, now, say },
    schedule: () => applied.get('batteryTest', 1)?.schedule ?? null,
  })
  const execute = createExecute({ hardware, applied, batteryTests, onUnexpected })
  const settings = createSettingsApplier({
    ...{ store, epoch: epochOf(key), first: firstSettings },
    ...{ applied, execute, onKnown },
  })
  const desk = createCommandExecutor({
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
  return {
    settings,
    desk,
    batteryTests,
    dataCount,
    startCount,
    steering: createSteering({ hardware, applied, store: soon, onUnexpected }),
  }
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
function connectionTexts(say: Agent['say'], log: AgentOptions['log']) {
  let downSinceMs: number | undefined
  return {
    up() {
      const awaySeconds = downSinceMs === undefined ? 0 : (performance.now() - downSinceMs) / 1000
      say(downSinceMs === undefined ? 'Connected.' : `Reconnected after ${formatDuration(awaySeconds)}.`)
    },
    down(reason: string) {
      downSinceMs = performance.now()
      log(`Disconnected: ${reason}.`)
    },
    failed(reason: string, retryInMs: number) {
      log(`No connection (${reason}); next try in ${formatDuration(Math.round(retryInMs / 1000))}.`)
    },
  }
}
