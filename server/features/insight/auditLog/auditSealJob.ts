import type { Job } from '#server/jobs/JobRunner.ts'
import { pause } from '#server/jobs/pause.ts'
import {
  auditWriters,
  lastGivenId,
  newestSeal,
  type Owner,
  type SealHead,
  sealNext,
  sealOf,
} from './auditSeal.store.ts'

const SEAL_EVERY_MS = 2_000
/** The job runs again so soon when a transaction is still open, or more is left than one run may seal. */
const AGAIN_MS = 250
/** Changes are short, so those that were open when an id was read end soon. */
const WAIT_FOR_WRITERS_MS = 500
const LOOK_AT_WRITERS_MS = 20
const LONGEST_RUN_MS = 2_000
const ROWS_OF_BLOCK = 2_000

interface SealLog {
  info(details: object, sentence: string): void
  error(details: object, sentence: string): void
}

/** Ids up to this one are decided once these transactions are over. */
interface Boundary {
  readonly id: number
  readonly writers: Set<string>
}

/**
 * Seals new rows of the audit log in blocks, a moment after they were committed. Writers never wait for it: chaining
 * rows as they are inserted would make all changes wait in one line (docs/decisions/0181).
 */
export function auditSealJob(log: SealLog, rowsOfBlock = ROWS_OF_BLOCK): Job {
  const sealer = new AuditSealer(log, rowsOfBlock)
  return {
    name: 'audit seal',
    everyMs: SEAL_EVERY_MS,
    retryMs: SEAL_EVERY_MS,
    run: (owner, _now, stopped) => sealer.run(owner, stopped),
  }
}

class AuditSealer {
  readonly #log: SealLog
  readonly #rowsOfBlock: number
  #boundary: Boundary | undefined
  /** Ids that were given but never committed leave nothing to seal. */
  #lookedId = -1
  #known: SealHead | undefined

  constructor(log: SealLog, rowsOfBlock: number) {
    this.#log = log
    this.#rowsOfBlock = rowsOfBlock
  }

  async run(owner: Owner, stopped: AbortSignal): Promise<{ readonly againInMs: number } | undefined> {
    const endsAt = performance.now() + LONGEST_RUN_MS
    if (!this.#boundary && (await lastGivenId(owner)) === this.#lookedId) return undefined
    const decidedId = await this.#reach(owner, stopped)
    if (decidedId === undefined) return { againInMs: AGAIN_MS }
    await this.#reportChangedSeal(owner)
    for (;;) {
      const sealed = await sealNext(owner, decidedId, this.#rowsOfBlock)
      if (sealed) {
        this.#known = sealed
        const { number: block, head, throughId: through } = sealed
        this.#log.info({ block, head, through }, 'the audit log is sealed')
      }
      if (!sealed || sealed.throughId >= decidedId) break
      if (stopped.aborted || performance.now() > endsAt) return { againInMs: AGAIN_MS }
    }
    this.#known ??= await newestSeal(owner)
    this.#lookedId = decidedId
    return undefined
  }

  /** Keeps a boundary until it is reached, across runs: otherwise one long change after the other would move it on. */
  async #reach(owner: Owner, stopped: AbortSignal): Promise<number | undefined> {
    const endsAt = performance.now() + WAIT_FOR_WRITERS_MS
    this.#boundary ??= await drawBoundary(owner)
    const { id, writers } = this.#boundary
    while (writers.size > 0) {
      const present = await auditWriters(owner)
      for (const name of writers) if (!present.has(name)) writers.delete(name)
      if (writers.size === 0) break
      if (stopped.aborted || performance.now() > endsAt) return undefined
      await pause(LOOK_AT_WRITERS_MS, stopped)
    }
    this.#boundary = undefined
    return id
  }

  async #reportChangedSeal(owner: Owner): Promise<void> {
    const known = this.#known
    if (!known) return
    const found = await sealOf(owner, known.number)
    if (found?.head === known.head) return
    this.#log.error(
      { block: known.number, head: known.head, found: found?.head ?? null },
      'The seal of the audit log is not what it was: run "npm run admin -- verify-audit".',
    )
    this.#known = undefined
  }
}

/**
 * The id is read first: an id that is given in between lies beyond the boundary, and its writer need not be waited for.
 */
async function drawBoundary(owner: Owner): Promise<Boundary> {
  const id = await lastGivenId(owner)
  return { id, writers: new Set(await auditWriters(owner)) }
}
