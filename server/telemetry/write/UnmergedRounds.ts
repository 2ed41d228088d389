import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { mergeRound } from '#server/telemetry/state/mergeState.ts'
import type { AwayDevices } from './AwayDevices.ts'

/** Merging takes a small part of the time, so that it hardly delays batches. */
const DEVICES_MERGED_AT_ONCE = 100
const REST_FOR_EACH_MS = 5

export interface MergeDeps {
  readonly isOver: () => boolean
  /** Merges only readings whose hour had ended when they arrived. */
  readonly isLateOnly?: boolean
  /** Merges without pauses, because no more batches come. */
  readonly isHurried?: boolean
}

interface EndedRound {
  readonly round: number
  readonly deviceIds: Set<DeviceId>
}

/** Readings of a shard that are stored and not merged into the current state yet, by the rounds of their dirty ranges. */
export class UnmergedRounds {
  readonly #pool: pg.Pool
  readonly #away: AwayDevices
  readonly #rounds = new Set<EndedRound>()

  constructor(pool: pg.Pool, away: AwayDevices) {
    this.#pool = pool
    this.#away = away
  }

  add(ended: readonly EndedRound[]): void {
    for (const round of ended) this.#rounds.add(round)
  }

  /** Devices whose worker is away are left for the next time. */
  async merge({ isOver, isHurried = false }: MergeDeps, stopping: AbortSignal): Promise<void> {
    for (const ended of this.#rounds) {
      const { round, deviceIds } = ended
      const here = [...deviceIds.difference(await this.#away.among(deviceIds))]
      while (here.length > 0) {
        if (isOver()) return
        const beganAt = performance.now()
        const some = here.splice(-DEVICES_MERGED_AT_ONCE)
        await mergeRound(this.#pool, round, some)
        for (const deviceId of some) deviceIds.delete(deviceId)
        const restMs = (performance.now() - beganAt) * REST_FOR_EACH_MS
        if (!isHurried && here.length > 0)
          await sleep(restMs, undefined, { signal: stopping, ref: false }).catch(() => undefined)
      }
      if (deviceIds.size === 0) this.#rounds.delete(ended)
    }
  }
}
