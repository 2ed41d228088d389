import type { BodyOf } from '#contract/call/call.ts'
import type { Release } from '#contract/http/software/releases.ts'
import type { createClientUpdate, previewClientUpdate } from '#contract/http/software/rollouts.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { USUAL_OBSERVE_MINUTES } from '#domain/rollouts/deviceUpdate.ts'
import { MOST_WAVES } from '#domain/rollouts/wavePlan.ts'

/** The form of a new update. What several of the choices say holds together. */
export interface PlanValues {
  readonly releaseId: number
  readonly customerId: CustomerId | undefined
  readonly modelId: DeviceModelId | undefined
  /** Those selected in the list of devices; undefined: the choice is not narrowed to some. */
  readonly deviceIds: readonly DeviceId[] | undefined
  readonly firstGroup: 'count' | 'devices'
  readonly firstCount: number
  readonly firstDeviceIds: readonly DeviceId[]
  /** Rising shares of the rest, without the last one, which is everything. */
  readonly wavePercents: readonly number[]
  readonly waitMinutes: number
  readonly observeMinutes: number
  readonly haltFailurePercent: number
  readonly isDowngradeMeant: boolean
}

const LAST_PERCENT = 100

export function firstPlan(releaseId: number, deviceIds: readonly DeviceId[] | undefined): PlanValues {
  return {
    releaseId,
    customerId: undefined,
    modelId: undefined,
    deviceIds,
    firstGroup: 'count',
    firstCount: 1,
    firstDeviceIds: [],
    wavePercents: [10, 50],
    waitMinutes: 60,
    observeMinutes: USUAL_OBSERVE_MINUTES,
    haltFailurePercent: 5,
    isDowngradeMeant: false,
  }
}

/** What the preview is asked about. */
export function planBody(values: PlanValues): BodyOf<typeof previewClientUpdate> {
  const { releaseId, customerId, modelId, deviceIds, firstGroup, firstCount, firstDeviceIds, wavePercents } = values
  return {
    releaseId,
    choice: {
      ...(customerId === undefined ? {} : { customerId }),
      ...(modelId === undefined ? {} : { modelId }),
      ...(deviceIds === undefined ? {} : { deviceIds: [...deviceIds] }),
    },
    firstGroup: firstGroup === 'count' ? firstCount : [...firstDeviceIds],
    wavePercents: [...wavePercents, LAST_PERCENT],
  }
}

export function createBody(values: PlanValues): BodyOf<typeof createClientUpdate> {
  const { waitMinutes, observeMinutes, haltFailurePercent, isDowngradeMeant } = values
  return { ...planBody(values), waitMinutes, observeMinutes, haltFailurePercent, downgradeMeant: isDowngradeMeant }
}

/** Between which shares one may be set, so that they keep rising. */
export function percentBounds(wavePercents: readonly number[], index: number): { min: number; max: number } {
  return { min: (wavePercents[index - 1] ?? 0) + 1, max: (wavePercents[index + 1] ?? LAST_PERCENT) - 1 }
}

/** One more wave before the last: half way to everything. The same list when there is no room for one. */
export function withOneMoreWave(wavePercents: readonly number[]): readonly number[] {
  const before = wavePercents.at(-1) ?? 0
  const next = Math.floor((before + LAST_PERCENT) / 2)
  // The first group is a wave too, and so is the last.
  return next > before && wavePercents.length < MOST_WAVES - 2 ? [...wavePercents, next] : wavePercents
}

/** Newest first: whether a newer one than the chosen stands before it. */
export function newerThan(releases: readonly Release[], releaseId: number): Release | undefined {
  const chosen = releases.findIndex(({ id }) => id === releaseId)
  return chosen > 0 ? releases[0] : undefined
}
