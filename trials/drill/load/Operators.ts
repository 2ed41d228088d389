import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceId } from '#domain/ids.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'

const ANSWERED_WITHIN_MS = 40 * SECOND_MS
/** The average time between two calls of one operator. */
const THINKS_MS = 200

export interface OperatorDeps {
  readonly httpUrl: string
  /** Each operator has the token of a user with every right. */
  readonly tokens: readonly string[]
  readonly deviceIds: readonly DeviceId[]
  /** Returns from 0 up to below 1. */
  readonly chance: () => number
}

/** Operators command devices, record visits and read lists, and remember the answers. */
export class Operators {
  readonly #deps: OperatorDeps
  readonly #working: Promise<unknown>
  #isStopping = false
  /** Devices whose power command was answered with success, once for each answer. */
  readonly commanded: DeviceId[] = []
  /** Texts of visits by their answer. */
  readonly written = { asked: new Set<string>(), acknowledged: new Set<string>() }
  /** Counts by status; 0 is no answer. */
  readonly answers = {
    command: new Map<number, number>(),
    write: new Map<number, number>(),
    read: new Map<number, number>(),
  }
  /** Describes reads that failed twice, one right after the other. */
  readonly failedReads: string[] = []

  constructor(deps: OperatorDeps) {
    this.#deps = deps
    this.#working = Promise.all(deps.tokens.map((token, index) => this.#work(token, index)))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#working
  }

  async #work(token: string, operator: number): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn++) {
      const random = this.#deps.chance()
      if (random < 0.3) await this.#command(token)
      else if (random < 0.6) await this.#write(token, `visit ${operator} ${turn}`)
      else await this.#read(token)
      await sleep(2 * THINKS_MS * this.#deps.chance())
    }
  }

  #device(): DeviceId {
    const { deviceIds, chance } = this.#deps
    return deviceIds[Math.floor(chance() * deviceIds.length)] as DeviceId
  }

  async #command(token: string): Promise<void> {
    const deviceId = this.#device()
    const { status } = await this.#ask('command', 'Device/UpsReboot', { token, query: { deviceId } })
    if (status === 200) this.commanded.push(deviceId)
  }

  async #write(token: string, actionComment: string): Promise<void> {
    const body = { deviceId: this.#device(), startDt: new Date().toISOString(), actionComment }
    this.written.asked.add(actionComment)
    const asked = { token, method: 'POST', body } as const
    const { status } = await this.#ask('write', 'DeviceMaintenance/SetDeviceMaintenance', asked)
    if (status === 200) this.written.acknowledged.add(actionComment)
  }

  /** Repeats a read once when the connection broke, as a browser does. */
  async #read(token: string): Promise<void> {
    const first = await this.#ask('read', 'Device/GetDeviceList', { token })
    if (first.status === 200) return
    const second = await this.#ask('read', 'Device/GetDeviceList', { token })
    if (second.status !== 200)
      this.failedReads.push(`${first.status} ${first.why}, then ${second.status} ${second.why}`)
  }

  async #ask(kind: keyof Operators['answers'], path: string, asked: Parameters<typeof askServer>[2]) {
    const late = sleep(ANSWERED_WITHIN_MS, { status: -1, why: 'not answered in time' }, { ref: false })
    const answering = askServer(this.#deps.httpUrl, path, asked).then(
      ({ status, body }) => ({ status, why: status === 200 ? '' : JSON.stringify(body).slice(0, 120) }),
      (error: unknown) => ({ status: 0, why: causeOf(error) }),
    )
    const answer = await Promise.race([answering, late])
    const counts = this.answers[kind]
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    return answer
  }
}

const causeOf = (error: unknown) => {
  const { cause, message } = error as Error
  return cause instanceof Error ? `${(cause as NodeJS.ErrnoException).code ?? ''} ${cause.message}` : message
}
