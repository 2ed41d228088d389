import { setting } from './setting.ts'
import { wholeNumber } from './settingValues.ts'

/** How long readings are kept, and in which form (decision 313). */
export const RETENTION_SETTINGS = {
  openDays: setting(
    'WAYSIDE_OPEN_DAYS',
    '4',
    wholeNumber(2, 90, 4),
    'Whole days whose readings stay in tables; older days are closed, and then take about a tenth of the room.',
  ),
  closedDays: setting(
    'WAYSIDE_CLOSED_DAYS',
    '1096',
    wholeNumber(90, 36_500, 1096),
    'Days for which the readings of closed days are kept; they go by whole months.',
  ),
  closingPercent: setting(
    'WAYSIDE_CLOSING_PERCENT',
    '50',
    wholeNumber(1, 100, 50),
    'Percentage of one processor core that the closing of days may take.',
  ),
}
