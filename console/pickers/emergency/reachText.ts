import { formatNumber } from '#domain/units/numbers.ts'

const counted = (count: number, one: string, many: string) => `${formatNumber(count)} ${count === 1 ? one : many}`

interface Counts {
  readonly devices: number
  readonly displays: number
  readonly notConnected: number
  readonly unknownPlace?: number
}

/** Says whom an emergency reaches: "412 displays of 398 devices; 9 are not connected and will follow when they come." */
export function reachText({ devices, displays, notConnected, unknownPlace = 0 }: Counts): string {
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
  return `${reached}${away}.${unknown}`
}
