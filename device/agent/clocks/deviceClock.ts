import { clockDistance } from '#domain/devices/deviceClock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { ServerClock } from './serverClock.ts'
import type { SteadyClock, SteadyMoment } from './steadyClock.ts'

/** A clock this close to the server's is right, because the server's message takes time too. */
const RIGHT_WITHIN_MS = MINUTE_MS
/** A server that has not sent its time by then never will. */
const TOLD_WITHIN_MS = 5 * SECOND_MS

/** A connection lasts for months, in which steady clocks drift by seconds a day and stop while a computer sleeps. */
const ASK_EVERY_MS = HOUR_MS

type Payload = (at: Date) => object

interface Recorder<Kept> {
  append(topic: string, nowMs: number, payload: Payload, recorded?: SteadyMoment): Promise<Kept>
  place(epoch: string, timeOf: (atMs: number, steadyMs: number) => number | undefined): Promise<void>
}

interface DeviceClockDeps<Kept> {
  readonly ownNow: () => number
  readonly steady: SteadyClock
  readonly serverClock: ServerClock
  readonly store: Recorder<Kept>
  readonly say: (msg: string) => void
  /** Asks the server for its time; the answer arrives through `learn`. */
  readonly ask: () => void
  /** Only tests use another period than an hour. */
  readonly askEveryMs?: number | undefined
}

/**
 * The time by which this device reports and acts: its own, or the server's if the two differ, because a computer
 * without a battery for its clock begins in 1970. What is recorded before the server has sent its time is kept with a
 * steady moment, from which its time follows later.
 */
export interface DeviceClock<Kept> {
  now(): number
  record(topic: string, nowMs: number, payload: Payload): Promise<Kept>
  /** Called with each connection and with each answer to `ask`; it also dates what was recorded before. */
  learn(serverNow: Date): void
  /**
   * A connection has begun. Calls back once the server has sent its time, or fails to; what waits for it would
   * otherwise be sent with a wrong time.
   */
  up(callback: () => void): void
  /** The connection has ended, so nothing is called back or asked any more. */
  down(): void
}

export function createDeviceClock<Kept>({
  ownNow,
  steady,
  serverClock,
  store,
  say,
  ask,
  askEveryMs = ASK_EVERY_MS,
}: DeviceClockDeps<Kept>): DeviceClock<Kept> {
  let waiting: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined
  let wasRight = true

  const aheadMs = () => {
    const server = serverClock.now()
    return server === undefined ? 0 : ownNow() - server.getTime()
  }
  const now = () => {
    const ahead = aheadMs()
    return Math.abs(ahead) <= RIGHT_WITHIN_MS ? ownNow() : ownNow() - ahead
  }
  const stopWaiting = () => {
    clearTimeout(timer)
    const callback = waiting
    waiting = undefined
    return callback
  }
  const tellOfClock = () => {
    const ahead = aheadMs()
    const isRight = Math.abs(ahead) <= RIGHT_WITHIN_MS
    if (isRight === wasRight) return
    wasRight = isRight
    if (isRight) return say('The clock of this computer is right again.')
    say(
      `The clock of this computer is ${clockDistance(ahead)} (${new Date(ownNow()).toISOString()}). The clock of the server is used.`,
    )
  }

  return {
    now,
    record: (topic, nowMs, payload) => {
      const steadyMs = steady.now() - (now() - nowMs)
      const isKnown = serverClock.now() !== undefined
      return store.append(topic, nowMs, payload, isKnown ? undefined : { epoch: steady.epoch, steadyMs })
    },
    learn: (serverNow) => {
      serverClock.learn(serverNow)
      const serverAheadMs = serverNow.getTime() - steady.now()
      const placed = store.place(steady.epoch, (atMs, steadyMs) => {
        const placedMs = steadyMs + serverAheadMs
        return Math.abs(placedMs - atMs) <= RIGHT_WITHIN_MS ? undefined : placedMs
      })
      tellOfClock()
      void placed.then(() => stopWaiting()?.())
    },
    up: (callback) => {
      stopWaiting()
      clearInterval(asking)
      asking = setInterval(ask, askEveryMs)
      if (serverClock.now() !== undefined) return callback()
      waiting = callback
      timer = setTimeout(() => stopWaiting()?.(), TOLD_WITHIN_MS)
    },
    down: () => {
      stopWaiting()
      clearInterval(asking)
    },
  }
}
