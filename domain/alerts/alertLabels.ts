import { UNKNOWN_TEXT } from '../units/numbers.ts'
import { MINUTE_MS } from '../units/time.ts'

/** Alerts are opened or closed, their conditions active or not (rules/states 7). */
export const ALERT_STATUS = { opened: 1, closed: 2 } as const
export type AlertStatusId = (typeof ALERT_STATUS)[keyof typeof ALERT_STATUS]
export const ALERT_STATUSES = [
  { id: ALERT_STATUS.opened, name: 'Opened' },
  { id: ALERT_STATUS.closed, name: 'Closed' },
] as const

export const CONDITION_STATE = { active: 1, notActive: 2 } as const
export type ConditionStateId = (typeof CONDITION_STATE)[keyof typeof CONDITION_STATE]
export const CONDITION_STATES = [
  { id: CONDITION_STATE.active, name: 'Active' },
  { id: CONDITION_STATE.notActive, name: 'Not Active' },
] as const

export const ALERT_ACTION = { notify: 1, none: 2 } as const
export const ALERT_ACTIONS = [
  { id: ALERT_ACTION.notify, name: 'Send notification' },
  { id: ALERT_ACTION.none, name: 'No action' },
] as const

/** Period 1 is "at once"; the others mean "true for at least this many minutes" of device time. */
export const ALERT_PERIODS = [
  { id: 1, name: 'At once', minutes: 0 },
  { id: 2, name: '5 minutes', minutes: 5 },
  { id: 3, name: '15 minutes', minutes: 15 },
  { id: 4, name: '60 minutes', minutes: 60 },
] as const

/** Returns undefined for an id that is no period. */
export function periodMsOf(periodId: number): number | undefined {
  const period = ALERT_PERIODS.find(({ id }) => id === periodId)
  return period && period.minutes * MINUTE_MS
}

/** The resolutions that an operator can choose; the last ones are given by the system alone. */
export const ALERT_RESOLUTIONS = [
  { id: 1, name: 'Resolved on site', isSystem: false },
  { id: 2, name: 'Resolved remotely', isSystem: false },
  { id: 3, name: 'Resolved by itself', isSystem: false },
  { id: 4, name: 'False alert', isSystem: false },
  { id: 5, name: 'Planned work', isSystem: false },
  { id: 6, name: 'Condition removed', isSystem: true },
  { id: 7, name: 'Moved to another customer', isSystem: true },
] as const
export type AlertResolutionId = (typeof ALERT_RESOLUTIONS)[number]['id']
export const CONDITION_REMOVED_RESOLUTION_ID: AlertResolutionId = 6
export const MOVED_RESOLUTION_ID: AlertResolutionId = 7

export const nameOf = (names: readonly { readonly id: number; readonly name: string }[], id: number): string =>
  names.find((candidate) => candidate.id === id)?.name ?? UNKNOWN_TEXT
