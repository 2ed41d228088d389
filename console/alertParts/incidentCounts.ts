import type { Incident } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'

/** `12 alerts`, `1 device`. */
export const counted = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

/** The one that is shown and those that are folded into it: `1 + 12 alerts`. */
export const alertsText = ({ alertCount }: Pick<Incident, 'alertCount'>) =>
  alertCount > 1 ? `1 + ${formatNumber(alertCount - 1)} alerts` : '1 alert'

/** `13 devices at 2 places`. */
export const devicesText = ({ deviceCount, placeCount }: Pick<Incident, 'deviceCount' | 'placeCount'>) =>
  placeCount > 1
    ? `${counted(deviceCount, 'device')} at ${counted(placeCount, 'place')}`
    : counted(deviceCount, 'device')
