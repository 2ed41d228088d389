import type { DeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { DriverDescription } from '#domain/drivers/driverDescription.ts'
import { DRIVERS, driverByName, PRETEND_DRIVER } from '#domain/drivers/drivers.ts'
import { readPartKey } from '#domain/drivers/partKey.ts'

export type DrivenPart = DeviceDrivers['parts'][number]

const NAMES: Readonly<Record<string, string>> = {
  ecu: 'Controller',
  device: 'Computer',
  ups: 'UPS',
  'power-switch': 'Power switch',
  router: 'Network switches',
  'router-relay': 'Router with relay',
  camera: 'IP camera',
  yocto: 'Buttons',
}

export function partTitle(key: string): string {
  const part = readPartKey(key)
  const type = part && eventTypeByTopic(part.topic)
  if (!type) return key
  const name = NAMES[type.topic] ?? type.name
  return type.prefixes.length > 1 ? `${name} ${part.number}` : name
}

export function offeredDrivers(key: string): readonly DriverDescription[] {
  const topic = readPartKey(key)?.topic
  return DRIVERS.filter(({ chosenBy, parts }) => chosenBy === 'console' && topic !== undefined && parts.includes(topic))
}

export const isPretend = ({ used }: Pick<DrivenPart, 'used'>): boolean => used.includes(PRETEND_DRIVER)

const titleOf = (driver: string) => driverByName(driver)?.title ?? driver

/** It reads, for example, `Address of upsd: 10.0.0.5 · Name of the UPS there: cabinet · Password set`. */
function optionLabel({ driver, options, secrets }: NonNullable<DrivenPart['chosen']>): string {
  const described = Object.entries(driverByName(driver)?.options ?? {})
  const shown = described.flatMap(([name, { label }]) => (name in options ? [`${label}: ${options[name]}`] : []))
  const set = described.flatMap(([name, { label }]) => (secrets.includes(name) ? [`${label} set`] : []))
  return [...shown, ...set].join(' · ')
}

export interface PartLabels {
  readonly title: string
  readonly details: string
  readonly state: 'none' | 'file' | 'used' | 'waiting' | 'refused'
  readonly note: string
}

export function wordsOfPart({ part, chosen, setBy, used, refusal }: DrivenPart): PartLabels {
  if (isPretend({ used })) {
    return {
      ...{ title: 'Simulated', details: '', state: 'file' },
      note: 'No hardware connected.',
    }
  }
  if (setBy === 'file') {
    const overridden = chosen ? ` The driver chosen here (${titleOf(chosen.driver)}) is not used.` : ''
    return {
      title: used.map(titleOf).join(', '),
      details: '',
      state: 'file',
      note: `Set in the totem's own file.${overridden}`,
    }
  }
  if (!chosen)
    return { title: part === 'device' ? 'The client itself' : 'No driver', details: '', state: 'none', note: '' }
  const words = { title: titleOf(chosen.driver), details: optionLabel(chosen) }
  if (refusal !== null) return { ...words, state: 'refused', note: `The device does not use it: ${refusal}.` }
  if (used.includes(chosen.driver)) return { ...words, state: 'used', note: 'In use' }
  return { ...words, state: 'waiting', note: 'Not applied by the device yet.' }
}

export function noticeOf({ client, parts }: DeviceDrivers): string {
  if (parts.some(isPretend)) {
    return 'This is a simulated device. Drivers cannot be changed.'
  }
  if (client === null) {
    return 'The client of this device does not report driver support. Your choice is saved and applies after a client update.'
  }
  const networks = client.allowedNetworks.join(', ')
  return networks === ''
    ? "The totem's own file allows no addresses from the console, because it has no allowedNetworks. Set drivers with an address in that file."
    : `The totem's own file lets the console set addresses in ${networks}.`
}
