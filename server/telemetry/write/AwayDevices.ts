import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { awayWorkerOf, devicesOn, stillAway } from '#server/db/distribute/awayWorkers.ts'

/** A worker that is only started again is waited for: this long nobody's reports are held back. */
const AWAY_AFTER_MS = 5_000
const ASK_AGAIN_MS = 2_000

interface AwayDeps {
  readonly awayAfterMs?: number
  readonly log: (sentence: string, detail: unknown) => void
}

const NOBODY: ReadonlySet<DeviceId> = new Set()

/**
 * Knows the devices whose readings cannot be stored, because the worker of the database that keeps them is away. The
 * shards leave them out meanwhile, so that the reports of all others go on.
 */
export class AwayDevices {
  readonly #pool: pg.Pool
  readonly #deps: AwayDeps
  #workers: readonly string[] = []
  /** What was found of each device since the present workers are away. */
  #found = new Map<DeviceId, boolean>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(pool: pg.Pool, deps: AwayDeps) {
    this.#pool = pool
    this.#deps = deps
  }

  get hasSome(): boolean {
    return this.#workers.length > 0
  }

  /** Notes why a batch could not be stored, and whether that has lasted for too long to be waited for. */
  noteFailure(error: Error, failingSinceMs: number): void {
    const worker = awayWorkerOf(error)
    if (worker === undefined || performance.now() - failingSinceMs < (this.#deps.awayAfterMs ?? AWAY_AFTER_MS)) return
    if (this.#isStopped || this.#workers.includes(worker)) return
    this.#deps.log('A worker of the database is away; its devices keep their reports until it is back.', error)
    this.#turn([...this.#workers, worker])
  }

  /** @returns those of the devices whose worker is away; nobody when the database does not say */
  async among(deviceIds: ReadonlySet<DeviceId>): Promise<ReadonlySet<DeviceId>> {
    if (!this.hasSome) return NOBODY
    const [workers, found] = [this.#workers, this.#found]
    const unknown = [...deviceIds].filter((id) => !found.has(id))
    if (unknown.length > 0) {
      const away = await devicesOn(this.#pool, workers, unknown).catch(() => undefined)
      if (away === undefined) return NOBODY
      const isAway = new Set(away)
      for (const id of unknown) found.set(id, isAway.has(id))
    }
    return new Set([...deviceIds].filter((id) => found.get(id)))
  }

  stop(): void {
    this.#isStopped = true
    this.#turn([])
  }

  #turn(workers: readonly string[]): void {
    this.#workers = workers
    this.#found = new Map()
    clearTimeout(this.#timer)
    if (workers.length > 0) this.#timer = setTimeout(() => this.#askAgain(), ASK_AGAIN_MS).unref()
  }

  async #askAgain(): Promise<void> {
    const asked = this.#workers
    const left = await stillAway(this.#pool, asked).catch(() => asked)
    if (this.#workers === asked) this.#turn(left)
  }
}
