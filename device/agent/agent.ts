import { releasePath } from '#contract/mqtt/client.ts'
import { serverTime } from '#contract/mqtt/report.ts'
import { settingsReplyId } from '#contract/mqtt/settings.ts'
import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { createAnswers } from './answers.ts'
import { openAppliedSections } from './appliedSections.ts'
import { withButtonRules } from './buttons.ts'
import type { ClientPlace } from './clientPlace.ts'
import { createCommandDesk } from './commands.ts'
import type { DeviceStore } from './deviceStore.ts'
import { createExecute } from './execute.ts'
import { createLink, type Link } from './link.ts'
import { download } from './linkDownload.ts'
import { lookAround } from './lookAround.ts'
import { momentOf } from './moment.ts'
import { createOutbox } from './outbox.ts'
import { createReporter } from './reporter.ts'
import { createServerClock } from './serverClock.ts'
import { createSettingsDesk, type FirstSettings, type Settings } from './settingsDesk.ts'
import { createSteering } from './steering.ts'
import { createUpdateDesk } from './updateDesk.ts'

/** What of a look is reported: what changed by more than the noise of its sensor, or everything. */
type Extent = 'changes' | 'whole'

const COMMAND_ID = /^[A-Za-z0-9-]{1,64}$/

export interface AgentOptions {
  readonly guid: DeviceGuid
  readonly key: string
  readonly mqttUrl: string
  readonly httpUrl: string
  /** Public keys of releases, base64 of 32 bytes; asked for each update. */
  readonly releaseKeys: () => readonly string[]
  /** Absent when nobody could start another client. */
  readonly clientPlace?: ClientPlace | undefined
  readonly firstSettings: FirstSettings
  readonly clientVersion: string
  readonly store: DeviceStore
  readonly hardware: Hardware
  readonly now: () => number
  /** For the rhythm of reports; other than this process's only in tests. */
  readonly monotonicMs?: () => number
  /** 0 up to 1. */
  readonly random: () => number
  /** Between two looks at the hardware. */
  readonly lookEveryMs: number
  /** For whoever watches the program; the server gets its own messages. */
  readonly log: (line: string) => void
}

/** The program beside one display: connects, reports, obeys (architecture: Devices). */
export interface Agent {
  readonly guid: DeviceGuid
  /** Starts after `afterMs`, so that many agents do not begin in the same moment. */
  start(afterMs?: number): void
  stop(): Promise<void>
  /** Whether the server is connected. */
  isUp(): boolean
  settings(): Settings
  /** For what is not a report of now: below the device's root, past the outbox. Resolves at the PUBACK. */
  publish(topic: string, payload: string): Promise<void>
  /** A message for the operators, and a line of the log. */
  say(msg: string): void
  readonly store: DeviceStore
}

export function createAgent(options: AgentOptions): Agent {
  const { guid, store, hardware, now } = options
  const root = topicRoot(guid)
  const serverClock = createServerClock()
  const outbox = createOutbox({
    store,
    publish: (topic, payload) => link.publish(root + topic, payload),
    isUp: () => link.isUp,
    onStored: (topic) => topic.startsWith('events/') && update.healthy(),
  })
  const reporter = createReporter(outbox)
  const say = (msg: string) => {
    options.log(msg)
    outbox
      .record('messages', now(), (at) => ({ at: at.toISOString(), msg }))
      .catch((error: Error) => options.log(`Message not kept: ${error.message}`))
  }

  const applied = openAppliedSections(store)
  const onUnexpected = (error: unknown) =>
    options.log(`Unexpected: ${error instanceof Error ? error.stack : String(error)}`)
  const execute = createExecute({ hardware, applied, onUnexpected })
  const onKnown = (known: Settings) => {
    hardware.fit(known)
    update.hear(known.client)
  }
  const settings = createSettingsDesk({ store, first: options.firstSettings, applied, execute, onKnown })
  const desk = createCommandDesk({
    store,
    serverClock,
    execute: (one) => (one.name.endsWith('.apply') ? settings.inTurn(() => execute(one)) : execute(one)),
    onUnexpected,
  })
  hardware.fit(settings.current())
  const steering = createSteering({ hardware, applied, onUnexpected })

  const reply = (id: string, content: object) => link.publish(`${root}replies/${id}`, JSON.stringify(content))
  const answers = createAnswers({ store, publish: reply })
  const httpRoot = options.httpUrl.replace(/\/+$/, '')
  const update = createUpdateDesk({
    store,
    version: options.clientVersion,
    releaseKeys: options.releaseKeys,
    place: options.clientPlace,
    fetchRelease: (offer, rest) =>
      download({ url: httpRoot + releasePath(offer.sha256), guid, key: options.key, ...rest }),
    publish: reply,
    isUp: () => link.isUp,
    random: options.random,
    say,
  })

  const obey = async (commandId: string, payload: Buffer, isRetained: boolean) => {
    const outcome = await desk(commandId, payload, isRetained)
    if (!outcome.reply) return
    const { text, errors } = outcome.reply
    if (outcome.carriedOut) {
      // A whole report of what came of it goes out before the answer: what was set is no noise of a sensor.
      await lookOnce('whole')
      const delayMs = hardware.answerDelayMs?.() ?? 0
      if (Number.isFinite(delayMs)) answers.give(commandId, outcome.reply, delayMs)
      say(`Command ${outcome.carriedOut.name}: ${text}`)
    } else {
      reply(commandId, outcome.reply).catch(() => undefined)
      say(`Command refused: ${errors.join(' ')}`)
    }
  }

  const take = async (payload: Buffer) => {
    const outcome = await settings.receive(payload)
    if (outcome.said) say(outcome.said)
    const { reply: results } = outcome
    if (!results) return
    await lookOnce('whole')
    const delayMs = hardware.answerDelayMs?.() ?? 0
    // Not kept: the document comes again with the next connection.
    const send = () => reply(settingsReplyId(results.version), results).catch(() => undefined)
    if (Number.isFinite(delayMs)) setTimeout(send, delayMs).unref()
  }

  const hear = (topic: string, payload: Buffer, isRetained: boolean) => {
    // Whatever a broker delivers: what was meant for another device is not ours.
    if (!topic.startsWith(root)) return
    const [head, id, ...rest] = topic.slice(root.length).split('/')
    if (head === 'commands' && id !== undefined && COMMAND_ID.test(id) && rest.length === 0) {
      obey(id, payload, isRetained).catch((error: Error) => say(`Command failed: ${error.message}`))
    } else if (head === 'settings' && id === undefined) {
      take(payload).catch((error: Error) => say(`Settings failed: ${error.message}`))
    } else if (head === 'time' && id === undefined) {
      const parsed = serverTime.safeParse(jsonOf(payload))
      if (parsed.success) serverClock.learn(new Date(parsed.data.now))
    }
  }

  let downSinceMs: number | undefined
  const link: Link = createLink({
    url: options.mqttUrl,
    guid,
    key: options.key,
    filters: [timeTopic(guid), settingsTopic(guid), commandsFilter(guid)],
    random: options.random,
    onMessage: hear,
    onUp: () => {
      outbox.up()
      answers.up()
      update.up()
      const awaySeconds = downSinceMs === undefined ? 0 : (performance.now() - downSinceMs) / 1000
      say(downSinceMs === undefined ? 'Connected.' : `Reconnected after ${formatDuration(awaySeconds)}.`)
      // The present first: what was recorded before this moment waits its turn in the backlog.
      void lookOnce('whole')
    },
    onDown: (reason) => {
      downSinceMs = performance.now()
      outbox.down()
      options.log(`Disconnected: ${reason}.`)
    },
    onFailed: (reason, retryInMs) =>
      options.log(`No connection (${reason}); next try in ${formatDuration(Math.round(retryInMs / 1000))}.`),
  })

  let outage: ReturnType<NonNullable<Hardware['outage']>> = 'none'
  const followOutage = async () => {
    const next = hardware.outage?.() ?? 'none'
    if (next === outage) return
    const before = outage
    outage = next
    if (next !== 'none') await link.stop()
    else link.start()
    if (before === 'power') {
      reporter.forget()
      say(`Started, client ${options.clientVersion}.`)
    }
  }

  const look = async (extent: Extent) => {
    await followOutage()
    if (outage === 'power') return
    const { modelId, components } = settings.current()
    const reported = reportedComponents(modelId as DeviceModelId, components)
    const readAll = () => lookAround(hardware, reported, (error) => options.log(`Reading failed: ${error.message}`))
    const readings = await readAll()
    const present = () => momentOf(now, options.monotonicMs)
    const hasSet = await steering.follow(settings.current(), readings, present())
    // Not before the look: one that began earlier would take it for its own older readings.
    if (extent === 'whole') reporter.forget()
    await reporter.report(reported, withButtonRules(hasSet ? await readAll() : readings, components), present())
  }

  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let looking: Promise<void> = Promise.resolve()
  /** Looks follow one another, so that two of them never set the same display. */
  const lookOnce = (extent: Extent = 'changes') => {
    looking = looking.then(() => look(extent)).catch((error: Error) => options.log(`Looking failed: ${error.message}`))
    return looking
  }
  const keepLooking = async () => {
    const startedAt = performance.now()
    await lookOnce()
    if (isRunning) timer = setTimeout(keepLooking, Math.max(0, options.lookEveryMs - (performance.now() - startedAt)))
  }

  return {
    guid,
    store,
    say,
    isUp: () => link.isUp,
    settings: settings.current,
    publish: (topic, payload) => link.publish(root + topic, payload),
    start: (afterMs = 0) => {
      if (isRunning) return
      isRunning = true
      timer = setTimeout(() => {
        say(`Started, client ${options.clientVersion}.`)
        update.start()
        link.start()
        void followOutage()
        timer = setTimeout(keepLooking, options.lookEveryMs)
      }, afterMs)
    },
    stop: async () => {
      isRunning = false
      clearTimeout(timer)
      update.stop()
      await link.stop()
    },
  }
}

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}
