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
  let boundary: Boundary | undefined
  // Ids that were given but never committed leave nothing to seal.
  let lookedId = -1
  let known: SealHead | undefined

  /** Keeps a boundary until it is reached, across runs: otherwise one long change after the other would move it on. */
  async function reach(owner: Owner, stopped: AbortSignal): Promise<number | undefined> {
    const endsAt = performance.now() + WAIT_FOR_WRITERS_MS
    boundary ??= await drawBoundary(owner)
    for (;;) {
      if (boundary.writers.size === 0) break
      const present = await auditWriters(owner)
      for (const name of boundary.writers) if (!present.has(name)) boundary.writers.delete(name)
      if (boundary.writers.size === 0) break
      if (stopped.aborted || performance.now() > endsAt) return undefined
      await pause(LOOK_AT_WRITERS_MS, stopped)
    }
    const { id } = boundary
    boundary = undefined
    return id
  }

  async function tellOfChangedSeal(owner: Owner): Promise<void> {
    if (!known) return
    const found = await sealOf(owner, known.number)
    if (found?.head === known.head) return
    log.error(
      { block: known.number, head: known.head, found: found?.head ?? null },
      'The seal of the audit log is not what it was: run "npm run admin -- verify-audit".',
    )
    known = undefined
  }

  return {
    name: 'audit seal',
    everyMs: SEAL_EVERY_MS,
    retryMs: SEAL_EVERY_MS,
    async run(owner, _now, stopped) {
      const endsAt = performance.now() + LONGEST_RUN_MS
      if (!boundary && (await lastGivenId(owner)) === lookedId) return undefined
      const decidedId = await reach(owner, stopped)
      if (decidedId === undefined) return { againInMs: AGAIN_MS }
      await tellOfChangedSeal(owner)
      for (;;) {
        const sealed = await sealNext(owner, decidedId, rowsOfBlock)
        if (sealed) {
          known = sealed
          log.info({ block: sealed.number, head: sealed.head, through: sealed.throughId }, 'the audit log is sealed')
        }
        if (!sealed || sealed.throughId >= decidedId) break
        if (stopped.aborted || performance.now() > endsAt) return { againInMs: AGAIN_MS }
      }
      known ??= await newestSeal(owner)
      lookedId = decidedId
      return undefined
    },
  }
}

/**
 * The id is read first: an id that is given in between lies beyond the boundary, and its writer need not be waited for.
 */
async function drawBoundary(owner: Owner): Promise<Boundary> {
  const id = await lastGivenId(owner)
  return { id, writers: new Set(await auditWriters(owner)) }
}
