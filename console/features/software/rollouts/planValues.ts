import type { BodyOf } from '#contract/call/call.ts'
import type { Release } from '#contract/http/software/releases.ts'
import type { createClientUpdate, previewClientUpdate } from '#contract/http/software/rollouts.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { USUAL_OBSERVE_MINUTES } from '#domain/rollouts/deviceUpdate.ts'
import { MOST_WAVES } from '#domain/rollouts/wavePlan.ts'

/** A device must match all of the choices that are made. */
export interface PlanValues {
  readonly releaseId: number
  readonly customerId: CustomerId | undefined
  readonly modelId: DeviceModelId | undefined
  /** The devices selected in the list; undefined does not narrow the choice. */
  readonly deviceIds: readonly DeviceId[] | undefined
  readonly firstGroup: 'count' | 'devices'
  readonly firstCount: number
  readonly firstDeviceIds: readonly DeviceId[]
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

/** A share must stay between its neighbours, so that the shares keep rising. */
export function percentBounds(wavePercents: readonly number[], index: number): { min: number; max: number } {
  return { min: (wavePercents[index - 1] ?? 0) + 1, max: (wavePercents[index + 1] ?? LAST_PERCENT) - 1 }
}

/** It adds a wave before the last, half way to everything, or returns the same list when there is no room for one. */
export function withOneMoreWave(wavePercents: readonly number[]): readonly number[] {
  const before = wavePercents.at(-1) ?? 0
  const next = Math.floor((before + LAST_PERCENT) / 2)
  // The first group is a wave too, and so is the last.
  return next > before && wavePercents.length < MOST_WAVES - 2 ? [...wavePercents, next] : wavePercents
}

/** The releases stand newest first, so it returns any release before the chosen one. */
export function newerThan(releases: readonly Release[], releaseId: number): Release | undefined {
  const chosen = releases.findIndex(({ id }) => id === releaseId)
  return chosen > 0 ? releases[0] : undefined
}
