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
export class DeviceClock<Kept> {
  readonly #deps: DeviceClockDeps<Kept>
  #waiting: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #asking: NodeJS.Timeout | undefined
  #wasRight = true

  constructor(deps: DeviceClockDeps<Kept>) {
    this.#deps = deps
  }

  readonly now = (): number => {
    const { ownNow } = this.#deps
    const ahead = this.#aheadMs()
    return Math.abs(ahead) <= RIGHT_WITHIN_MS ? ownNow() : ownNow() - ahead
  }

  readonly record = (topic: string, nowMs: number, payload: Payload): Promise<Kept> => {
    const { steady, serverClock, store } = this.#deps
    const steadyMs = steady.now() - (this.now() - nowMs)
    const isKnown = serverClock.now() !== undefined
    return store.append(topic, nowMs, payload, isKnown ? undefined : { epoch: steady.epoch, steadyMs })
  }

  /** Called with each connection and with each answer to `ask`; it also dates what was recorded before. */
  readonly learn = (serverNow: Date): void => {
    const { steady, serverClock, store } = this.#deps
    serverClock.learn(serverNow)
    const serverAheadMs = serverNow.getTime() - steady.now()
    const placed = store.place(steady.epoch, (atMs, steadyMs) => {
      const placedMs = steadyMs + serverAheadMs
      return Math.abs(placedMs - atMs) <= RIGHT_WITHIN_MS ? undefined : placedMs
    })
    this.#sayWhetherRight()
    void placed.then(() => this.#stopWaiting()?.())
  }

  /**
   * A connection has begun. Calls back once the server has sent its time, or fails to; what waits for it would
   * otherwise be sent with a wrong time.
   */
  up(callback: () => void): void {
    const { serverClock, ask, askEveryMs = ASK_EVERY_MS } = this.#deps
    this.#stopWaiting()
    clearInterval(this.#asking)
    this.#asking = setInterval(ask, askEveryMs)
    if (serverClock.now() !== undefined) {
      callback()
      return
    }
    this.#waiting = callback
    this.#timer = setTimeout(() => this.#stopWaiting()?.(), TOLD_WITHIN_MS)
  }

  /** The connection has ended, so nothing is called back or asked any more. */
  down(): void {
    this.#stopWaiting()
    clearInterval(this.#asking)
  }

  #aheadMs(): number {
    const server = this.#deps.serverClock.now()
    return server === undefined ? 0 : this.#deps.ownNow() - server.getTime()
  }

  #stopWaiting(): (() => void) | undefined {
    clearTimeout(this.#timer)
    const callback = this.#waiting
    this.#waiting = undefined
    return callback
  }

  #sayWhetherRight(): void {
    const { ownNow, say } = this.#deps
    const ahead = this.#aheadMs()
    const isRight = Math.abs(ahead) <= RIGHT_WITHIN_MS
    if (isRight === this.#wasRight) return
    this.#wasRight = isRight
    if (isRight) say('The clock of this computer is right again.')
    else {
      const ownTime = new Date(ownNow()).toISOString()
      say(`The clock of this computer is ${clockDistance(ahead)} (${ownTime}). The clock of the server is used.`)
    }
  }
}
