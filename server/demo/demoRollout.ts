import { setTimeout as sleep } from 'node:timers/promises'
import { createClientUpdate } from '#contract/http/software/rollouts.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { USUAL_OBSERVE_MINUTES } from '#domain/rollouts/deviceUpdate.ts'
import type { Db } from '#server/db/database.ts'
import { createRollout } from '#server/features/software/rollouts/planRollout.ts'
import type { Audit } from '#server/http/call/audit.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { DemoVersions } from './demoReleases.ts'
import type { DemoRolloutStore } from './demoRollout.store.ts'

export interface DemoRolloutDeps {
  readonly store: DemoRolloutStore
  readonly db: Db
  readonly audit: Audit
  readonly versions: DemoVersions
  readonly makeReleases: () => Promise<void>
  /** One device of the first wave does not start its new client. */
  readonly firstGroup: readonly DeviceGuid[]
  readonly by: string
  readonly signal: AbortSignal
}

const LOOK_EVERY_MS = 500
const WAIT_AT_MOST_MS = 120_000
/** One failure in five exceeds it: the rollout halts, and the user of the demo decides how it goes on. */
const HALT_FAILURE_PERCENT = 10
const WAVE_PERCENTS = [30, 60, 100]
const WAIT_MINUTES = 120

/**
 * Begins an update that stays half done: two releases, a plan of waves as anybody makes it, and a device in the first
 * wave whose new client does not start. It does nothing where releases or updates existed before.
 *
 * @returns true when it was begun
 */
export async function beginDemoRollout(deps: DemoRolloutDeps): Promise<boolean> {
  const { store, db, audit, versions, firstGroup, by, signal } = deps
  const caller = await store.user(by)
  if (caller === undefined || !(await store.isUntouched())) return false
  if ((await store.releaseOf(versions.next)) === undefined) await deps.makeReleases()
  const until = performance.now() + WAIT_AT_MOST_MS
  while (!signal.aborted && performance.now() < until) {
    const [releaseId, connected] = await Promise.all([store.releaseOf(versions.next), store.connected(firstGroup)])
    if (releaseId !== undefined && connected.length === firstGroup.length) {
      const change = recordOf(audit, { userId: caller.userId, username: caller.username })
      const asker = { isLab: false, isInternal: false, sessionHash: '', address: '' }
      const more = { ...asker, freshFactor: true, isPlainClient: false }
      const times = { waitMinutes: WAIT_MINUTES, observeMinutes: USUAL_OBSERVE_MINUTES }
      const plan = { firstGroup: [...connected], wavePercents: WAVE_PERCENTS, ...times }
      const asked = { releaseId, choice: {}, ...plan, haltFailurePercent: HALT_FAILURE_PERCENT, downgradeMeant: false }
      await createRollout(db, asked, { ...caller, ...more }, change)
      return true
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return false
}

type Author = Pick<Parameters<Audit['write']>[0]['author'], 'userId' | 'username'>

const CREATED = { action: 'Create', entity: 'Client update' } as const

/** Returns the row of the change as the call would leave it. */
function recordOf(audit: Audit, author: Author): ChangeRecord {
  const nothing = () => undefined
  return {
    about: nothing,
    done: async (transaction, thing = {}) => {
      const { path: call } = createClientUpdate
      await audit.write(
        { change: CREATED, call, outcome: 'done', author: { ...author, address: '' }, thing },
        transaction,
      )
    },
    stands: nothing,
  }
}
