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
    'Days for which the readings of closed days and messages are kept; they go by whole months.',
  ),
  rollupDays: setting(
    'WAYSIDE_ROLLUP_DAYS',
    '3653',
    wholeNumber(90, 36_500, 3653),
    'Days for which hourly means are kept; they go by whole months.',
  ),
  alertDays: setting(
    'WAYSIDE_ALERT_DAYS',
    '3653',
    wholeNumber(90, 36_500, 3653),
    'Days for which closed alerts and incidents are kept.',
  ),
  lightDays: setting(
    'WAYSIDE_LIGHT_DAYS',
    '3653',
    wholeNumber(90, 36_500, 3653),
    'Days for which minutes of light are kept.',
  ),
  closingPercent: setting(
    'WAYSIDE_CLOSING_PERCENT',
    '50',
    wholeNumber(1, 100, 50),
    'Percentage of one processor core that the closing of days may take.',
  ),
}
