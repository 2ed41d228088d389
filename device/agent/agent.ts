import { serverTime } from '#contract/mqtt/report.ts'
import { type DeviceSettings, deviceSettings } from '#contract/mqtt/settings.ts'
import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import { type Hardware, HardwareError } from '#device/hardware/hardware.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { createCommandDesk } from './commands.ts'
import type { DeviceStore } from './deviceStore.ts'
import { createExecute } from './execute.ts'
import { createLink, type Link } from './link.ts'
import { isOffTime, type OffTimes, offTimesError } from './offTimes.ts'
import { createOutbox } from './outbox.ts'
import { createReporter } from './reporter.ts'
import { createServerClock } from './serverClock.ts'

/** What stands on the device until the server has said otherwise. */
export type FirstSettings = Omit<DeviceSettings, 'version'>

export interface AgentOptions {
  readonly guid: DeviceGuid
  readonly key: string
  readonly mqttUrl: string
  readonly firstSettings: FirstSettings
  readonly clientVersion: string
  readonly store: DeviceStore
  readonly hardware: Hardware
  readonly now: () => number
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
  settings(): FirstSettings
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
  })
  const reporter = createReporter(hardware, outbox)
  const say = (msg: string) => {
    options.log(msg)
    outbox
      .record('messages', now(), (at) => ({ at: at.toISOString(), msg }))
      .catch((error: Error) => options.log(`Message not kept: ${error.message}`))
  }

  let settings: FirstSettings = rememberedSettings(store) ?? options.firstSettings
  hardware.fit(settings)
  const curtain = createCurtain({ store, hardware, timeZone: () => settings.timeZone })
  const desk = createCommandDesk({
    store,
    serverClock,
    execute: createExecute({
      hardware,
      keepOffTimes: async (offTimes) => curtain.keep(offTimes),
      onUnexpected: (error) => options.log(`Command failed: ${error instanceof Error ? error.stack : String(error)}`),
    }),
  })

  const obey = async (commandId: string, payload: Buffer) => {
    const { reply, carriedOut } = await desk(commandId, payload)
    if (!reply) return
    // A report of what came of it goes out before the answer.
    if (carriedOut) await lookOnce()
    link.publish(`${root}replies/${commandId}`, JSON.stringify(reply)).catch(() => undefined)
    say(carriedOut ? `Command ${carriedOut.name}: ${reply.text}` : `Command refused: ${reply.errors.join(' ')}`)
  }

  const hear = (topic: string, payload: Buffer) => {
    const below = topic.slice(root.length)
    if (below.startsWith('commands/')) {
      obey(below.slice('commands/'.length), payload).catch((error: Error) => say(`Command failed: ${error.message}`))
    } else if (below === 'settings') {
      const parsed = deviceSettings.safeParse(jsonOf(payload))
      if (!parsed.success) return say('The settings from the server are not understood; the old ones stay.')
      settings = parsed.data
      store.remember('settings', JSON.stringify(settings))
      hardware.fit(settings)
    } else if (below === 'time') {
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
      const awaySeconds = downSinceMs === undefined ? 0 : (now() - downSinceMs) / 1000
      say(downSinceMs === undefined ? 'Connected.' : `Reconnected after ${formatDuration(awaySeconds)}.`)
      // The present first: what was recorded before this moment waits its turn in the backlog.
      reporter.forget()
      void lookOnce()
    },
    onDown: (reason) => {
      downSinceMs = now()
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

  const look = async () => {
    await followOutage()
    if (outage === 'power') return
    await curtain.follow(new Date(now()))
    await reporter.look(reportedComponents(settings.modelId as DeviceModelId, settings.components), now())
  }

  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  const lookOnce = () => look().catch((error: Error) => options.log(`Reading failed: ${error.message}`))
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
    settings: () => settings,
    publish: (topic, payload) => link.publish(root + topic, payload),
    start: (afterMs = 0) => {
      if (isRunning) return
      isRunning = true
      timer = setTimeout(() => {
        say(`Started, client ${options.clientVersion}.`)
        link.start()
        void followOutage()
        timer = setTimeout(keepLooking, options.lookEveryMs)
      }, afterMs)
    },
    stop: async () => {
      isRunning = false
      clearTimeout(timer)
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

function rememberedSettings(store: DeviceStore): FirstSettings | undefined {
  const text = store.remembered('settings')
  const parsed = text === undefined ? undefined : deviceSettings.safeParse(jsonOf(Buffer.from(text)))
  return parsed?.success ? parsed.data : undefined
}

/** Carries out the turn-off times, also without a network. */
function createCurtain(needs: {
  readonly store: DeviceStore
  readonly hardware: Hardware
  readonly timeZone: () => string
}) {
  const text = needs.store.remembered('offTimes')
  let offTimes = text === undefined ? undefined : (JSON.parse(text) as OffTimes)
  const isDark = new Map<number, boolean>()
  return {
    keep: (next: OffTimes) => {
      const error = offTimesError(next)
      if (error) throw new HardwareError(error)
      needs.store.remember('offTimes', JSON.stringify(next))
      offTimes = next
    },
    follow: async (at: Date) => {
      if (!offTimes) return
      const shouldBeDark = isOffTime(offTimes, at, needs.timeZone())
      for (const number of [1, 2, 3]) {
        const display = needs.hardware.display(number)
        if (!display || isDark.get(number) === shouldBeDark) continue
        try {
          await (shouldBeDark ? display.switchOff() : display.switchOn())
          isDark.set(number, shouldBeDark)
        } catch (error) {
          // A display that does not answer now is asked again at the next look.
          if (!(error instanceof HardwareError)) throw error
        }
      }
    },
  }
}
