import { formatDateTime } from '#console/lib/time/time.ts'
import { changeDeviceTags, setDeviceStatus } from '#contract/http/devices/details.ts'
import {
  applyAmbientSensorSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
} from '#contract/http/devices/setup.ts'
import type { AuditEntry, SettingOutcome } from '#contract/http/insight/auditLog.ts'
import { SETTING_WORDS } from './settingLabels.ts'

/** Such an entry represents a bulk action. */
export type FoldedEntry = AuditEntry & { readonly fold: object }
export const isFolded = (entry: AuditEntry): entry is FoldedEntry => entry.fold !== null

/** The calls tell which bulk action of the console it was. */
const CHANGED = new Map([
  [setDeviceStatus.path, 'Status updated'],
  [changeDeviceTags.path, 'Tags updated'],
  [applyDisplaySettings.path, 'Display settings updated'],
  [applyAmbientSensorSettings.path, 'Ambient light settings updated'],
  [applyTurnDisplayOffSettings.path, 'Times off updated'],
  [applyDayPlanSettings.path, 'Brightness by time updated'],
])

/** It reads "Tags updated"; a call that only other programs make is named by its action. */
export const bulkAction = ({ call, actionName }: FoldedEntry): string => CHANGED.get(call) ?? actionName

export function bulkThings({ entityTypeName, entityName, fold }: FoldedEntry): string {
  const count = fold.things || fold.entries
  const kind = entityTypeName.toLowerCase()
  return count === 1 ? entityName || `1 ${kind}` : `${count} ${kind}s`
}

export function bulkTitle(entry: FoldedEntry): string {
  return CHANGED.has(entry.call)
    ? `${bulkAction(entry)} on ${bulkThings(entry)}`
    : `${bulkAction(entry)}: ${bulkThings(entry)}`
}

type BulkOutcome = Exclude<SettingOutcome, 'applied'> | 'done'

export const bulkOutcomes = ({ fold }: FoldedEntry): readonly (readonly [BulkOutcome, string])[] =>
  OUTCOMES.filter(([outcome]) => fold[outcome] > 0).map(([outcome, word]) => [outcome, `${fold[outcome]} ${word}`])

const OUTCOMES = [
  ['done', 'done'],
  ['queued', SETTING_WORDS.queued],
  ['unanswered', SETTING_WORDS.unanswered],
  ['replaced', SETTING_WORDS.replaced],
  ['refused', 'refused'],
] as const

export function bulkTimes({ fold }: FoldedEntry): string {
  const [first, last] = [formatDateTime(fold.first), formatDateTime(fold.last)]
  if (first === last) return last
  const [day, time] = last.split(' ')
  return `${first} to ${first.startsWith(`${day} `) ? time : last}`
}
