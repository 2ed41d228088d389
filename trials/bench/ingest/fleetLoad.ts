import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages } from '../../frame/answerMessages.ts'
import { recordAgents } from './agentMinutes.ts'
import { BENCH_MODEL, type BenchDevice } from './benchDevices.ts'
import { type BookedLoad, FleetBook } from './FleetBook.ts'
import { FleetDevice } from './FleetDevice.ts'

/** One process plays a fleet of devices that behave like agents. */

export type FleetQuestion =
  | {
      readonly connect: readonly BenchDevice[]
      readonly port: number
      /** Devices connect by turns from so many addresses of this machine. */
      readonly addresses: number
      readonly reports: boolean
    }
  | { readonly measure: { readonly seconds: number } }
  /** Devices that were only connected report everything; answers when all of it is acknowledged. */
  | { readonly begin: 'reports' }
  /** Cuts all at once; answers when they are back and everything is acknowledged. */
  | { readonly cut: { readonly withinSeconds: number } }
  | { readonly tell: 'ledger' | 'up' }
  | { readonly end: 'all' }

export interface StormAnswer extends BookedLoad {
  /** NaN means never. */
  readonly mostBackMs: number
  readonly allBackMs: number
  readonly acknowledgedMs: number
  readonly refused: number
  readonly timedOut: number
  readonly droppedEarly: number
  readonly droppedLate: number
  /** This process could do nothing for so long. */
  readonly loadDelayMs: number
}

export interface LedgerAnswer {
  /** What each device went through, as a pattern of its record. */
  readonly devices: readonly { readonly guid: string; readonly went: string }[]
}

const CONNECTING_AT_ONCE = 100
const KEEP_ALIVE_CHECK_MS = 1000
const LOOK_EVERY_MS = 10
const MOST = 0.99
/** So many packets may lack an acknowledgement while devices begin one after the other. */
const MOST_WAITING = 500

const book = new FleetBook()
let fleet: FleetDevice[] = []

async function connectAll({
  connect: devices,
  port,
  addresses,
  reports,
}: Extract<FleetQuestion, { connect: unknown }>) {
  const recorded = await recordAgents(BENCH_MODEL)
  fleet = devices.map((device, index) => {
    const looks = recorded[index % recorded.length] ?? []
    const localAddress = `127.0.0.${1 + (index % addresses)}`
    return new FleetDevice({ ...device, port, localAddress, looks, reports, book })
  })
  let next = 0
  const lane = async () => {
    for (let device = fleet[next++]; device !== undefined; device = fleet[next++]) await device.start()
  }
  await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, lane))
  setInterval(() => {
    const nowMs = performance.now()
    for (const device of fleet) device.keepAlive(nowMs)
  }, KEEP_ALIVE_CHECK_MS).unref()
  return { connected: book.up }
}

async function measure(seconds: number): Promise<BookedLoad> {
  book.begin()
  await sleep(seconds * 1000)
  return book.told
}

async function beginReports(): Promise<object> {
  for (const device of fleet) {
    device.report()
    while (book.waiting > MOST_WAITING) await sleep(LOOK_EVERY_MS)
  }
  while (book.waiting > 0) await sleep(LOOK_EVERY_MS)
  return {}
}

async function cutAll(withinSeconds: number): Promise<StormAnswer> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  book.begin()
  delay.enable()
  const beganAt = performance.now()
  for (const device of fleet) device.cut()
  await sleep(LOOK_EVERY_MS)
  let mostBackMs = Number.NaN
  let allBackMs = Number.NaN
  let acknowledgedMs = Number.NaN
  while (Number.isNaN(acknowledgedMs) && performance.now() - beganAt < withinSeconds * 1000) {
    await sleep(LOOK_EVERY_MS)
    const nowMs = performance.now() - beganAt
    if (Number.isNaN(mostBackMs) && book.up >= fleet.length * MOST) mostBackMs = nowMs
    if (Number.isNaN(allBackMs) && book.up === fleet.length) allBackMs = nowMs
    if (!Number.isNaN(allBackMs) && book.waiting === 0) acknowledgedMs = nowMs
  }
  delay.disable()
  const { refused, timedOut, droppedEarly, droppedLate, told } = book
  const counted = { refused, timedOut, droppedEarly, droppedLate, loadDelayMs: delay.max / 1e6 }
  return { ...told, mostBackMs, allBackMs, acknowledgedMs, ...counted }
}

const ledger = () => ({
  devices: fleet.map(({ guid, ledger: entries }) => ({ guid, went: entries.join('') })),
})

answerMessages<FleetQuestion>(
  async (question) => {
    if ('connect' in question) return connectAll(question)
    if ('measure' in question) return measure(question.measure.seconds)
    if ('begin' in question) return beginReports()
    if ('cut' in question) return cutAll(question.cut.withinSeconds)
    if ('tell' in question) return question.tell === 'up' ? { up: book.up } : (ledger() satisfies LedgerAnswer)
    for (const device of fleet) device.end()
    fleet = []
    return {}
  },
  async () => undefined,
)
