import { readAs } from '#console/lib/call/plainContract.ts'
import { deviceGuidValue } from '#contract/call/values.ts'
import type { DeviceGuid } from '#domain/ids.ts'

const VIEW_HISTORY_LENGTH = 15

export interface ViewedDevice {
  readonly guid: DeviceGuid
  readonly name: string
}

/** The opened device stands first, and each device once (rules/devices 10). */
export function withViewed(history: readonly ViewedDevice[], opened: ViewedDevice): readonly ViewedDevice[] {
  return [opened, ...history.filter(({ guid }) => guid !== opened.guid)].slice(0, VIEW_HISTORY_LENGTH)
}

export function withoutViewed(history: readonly ViewedDevice[], gone: DeviceGuid): readonly ViewedDevice[] {
  return history.filter(({ guid }) => guid !== gone)
}

/** A text of an older version, or one that somebody has edited, is an empty history and never an error. */
export function readViewHistory(stored: string | null): readonly ViewedDevice[] {
  if (stored === null) return []
  try {
    const history: unknown = JSON.parse(stored)
    return Array.isArray(history) && history.every(isViewed) ? history.slice(0, VIEW_HISTORY_LENGTH) : []
  } catch {
    return []
  }
}

function isViewed(entry: unknown): entry is ViewedDevice {
  if (typeof entry !== 'object' || entry === null || !('guid' in entry) || !('name' in entry)) return false
  return readAs(deviceGuidValue, entry.guid) !== undefined && typeof entry.name === 'string'
}
