import { formatNumber } from '#domain/units/numbers.ts'

const counted = (count: number, one: string, many: string) => `${formatNumber(count)} ${count === 1 ? one : many}`

interface Counts {
  readonly devices: number
  readonly displays: number
  readonly notConnected: number
  readonly unknownPlace?: number
  readonly losesPower?: number
  readonly unknownPower?: number
}

/** Says whom an emergency reaches: "412 displays of 398 devices; 9 are not connected and will follow when they come." */
export function reachText({ devices, displays, notConnected, unknownPlace = 0, ...power }: Counts): string {
  const reached = `${counted(displays, 'display', 'displays')} of ${counted(devices, 'device', 'devices')}`
  const away =
    notConnected === 0
      ? ''
      : `; ${notConnected === 1 ? '1 is' : `${formatNumber(notConnected)} are`} not connected and will follow when ${
          notConnected === 1 ? 'it comes' : 'they come'
        }`
  const unknown =
    unknownPlace === 0
      ? ''
      : ` ${counted(unknownPlace, 'device is', 'devices are')} left out, because nobody knows where ${unknownPlace === 1 ? 'it is' : 'they are'}.`
  return `${reached}${away}.${unknown}${coldText(power)}`
}

/** A panel without power is not kept warm. */
function coldText({ losesPower = 0, unknownPower = 0 }: Pick<Counts, 'losesPower' | 'unknownPower'>): string {
  const lost = losesPower > 0 ? [`panels of ${counted(losesPower, 'device', 'devices')} lose their power`] : []
  const unknown = unknownPower > 0 ? [`of ${counted(unknownPower, 'device', 'devices')} nobody knows`] : []
  const parts = [
    ...lost,
    ...unknown.map((text) => (lost.length > 0 ? text : `${text} whether panels keep their power`)),
  ]
  return parts.length === 0 ? '' : ` Cold nights: ${parts.join(', and ')}.`
}
