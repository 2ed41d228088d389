import { ALERT_STATUS, CONDITION_STATE } from '../alerts/alertLabels.ts'
import { DEVICE_STATUS } from '../devices/status.ts'
import type { AlertFilter, DeviceFilter } from './question.ts'

export interface Word<Filter> {
  /** The first one is shown as the example. */
  readonly phrases: readonly string[]
  readonly sets: Filter
  readonly says: string
}

export const DEVICE_WORDS: readonly Word<DeviceFilter>[] = [
  { phrases: ['dark', 'dark now', 'not lit', 'without light'], sets: { filter: 'dark' }, says: 'unplanned dark' },
  { phrases: ['not reporting', 'silent', 'silent now'], sets: { filter: 'silent' }, says: 'not reporting' },
  {
    phrases: ['alerted', 'alerted now', 'with alerts', 'with active alerts', 'with an alert'],
    sets: { filter: 'alerted' },
    says: 'with active alerts',
  },
  {
    phrases: ['unanswered', 'unanswered commands', 'with unanswered commands'],
    sets: { filter: 'unanswered' },
    says: 'with an unanswered power command',
  },
  { phrases: ['on battery', 'on battery now', 'battery'], sets: { filter: 'onBattery' }, says: 'on battery now' },
  {
    phrases: ['refused', 'refused reports', 'with refused reports', 'reports refused'],
    sets: { filter: 'reportsRefused' },
    says: 'with refused reports',
  },
  {
    phrases: ['wrong clock', 'clock wrong', 'with a wrong clock'],
    sets: { filter: 'clockWrong' },
    says: 'with a wrong clock',
  },
  {
    phrases: ['restarting', 'keeps restarting', 'restarting now'],
    sets: { filter: 'restarting' },
    says: 'client keeps restarting',
  },
  {
    phrases: ['needs attention', 'need attention', 'wrong', 'wrong now', 'something wrong', 'anything wrong', 'broken'],
    sets: { filter: 'wrong' },
    says: 'needs attention',
  },
  { phrases: ['offline', 'not connected', 'disconnected'], sets: { connStatusId: 0 }, says: 'offline' },
  { phrases: ['online', 'synced', 'connected'], sets: { connStatusId: 1 }, says: 'connected' },
  { phrases: ['pending'], sets: { statusId: DEVICE_STATUS.pending }, says: 'status Pending' },
  { phrases: ['paired'], sets: { statusId: DEVICE_STATUS.active }, says: 'status Paired' },
  {
    phrases: ['in maintenance', 'maintenance', 'under maintenance'],
    sets: { statusId: DEVICE_STATUS.maintenance },
    says: 'status Maintenance',
  },
  { phrases: ['deactivated'], sets: { statusId: DEVICE_STATUS.deactivated }, says: 'status Deactivated' },
  { phrases: ['out of order'], sets: { statusId: DEVICE_STATUS.outOfOrder }, says: 'status Out of order' },
  { phrases: ['updating'], sets: { statusId: DEVICE_STATUS.updating }, says: 'status Updating' },
]

export const ALERT_WORDS: readonly Word<AlertFilter>[] = [
  { phrases: ['active', 'active now', 'now'], sets: { conditionStateId: CONDITION_STATE.active }, says: 'active now' },
  {
    phrases: ['resolved', 'over', 'not active'],
    sets: { conditionStateId: CONDITION_STATE.notActive },
    says: 'resolved',
  },
  { phrases: ['open', 'opened'], sets: { statusId: ALERT_STATUS.opened }, says: 'open' },
  { phrases: ['closed'], sets: { statusId: ALERT_STATUS.closed }, says: 'closed' },
  { phrases: ['all', 'any', 'of any status'], sets: { statusId: 'any' }, says: 'open and closed' },
  {
    phrases: ['last 24 h', 'in the last 24 h', 'in 24 h', 'in the last 24 hours', 'last 24 hours', 'in 24 hours'],
    sets: { filter: 'last24h' },
    says: 'active within the last 24 hours',
  },
]

export const ALERT_NOUNS = ['alerts', 'alert']
/** Alerts after these words are something that devices have. */
export const HAVING = ['with', 'active', 'an', 'have', 'having']

export const FILLERS: ReadonlySet<string> = new Set(
  'which what where show list find give me please all any displays display devices device screens screen are is it and that who have has been was were with now currently'.split(
    ' ',
  ),
)

/** These are irrelevant too, but may be part of a name: `in The Hague`. */
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an'])
