import type { Incident } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'

export const counted = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

export const alertsText = ({ alertCount }: Pick<Incident, 'alertCount'>) =>
  alertCount > 1 ? `1 + ${formatNumber(alertCount - 1)} alerts` : '1 alert'

export const devicesText = ({ deviceCount, placeCount }: Pick<Incident, 'deviceCount' | 'placeCount'>) =>
  placeCount > 1
    ? `${counted(deviceCount, 'device')} at ${counted(placeCount, 'place')}`
    : counted(deviceCount, 'device')
