import { hasFixedSetup } from '../devices/models.ts'
import type { DeviceModelId } from '../ids.ts'
import { CATEGORY } from './componentFields.ts'

/** Commands and settings can name these parts; the fixed setup has some of them (rules/setup 1). */
const PARTS = {
  display: { name: 'display', plural: 'displays', categoryId: CATEGORY.display, ofFixedSetup: [1] },
  ambientSensor: {
    name: 'ambient sensor',
    plural: 'ambient sensors',
    categoryId: CATEGORY.ambientSensor,
    ofFixedSetup: [1],
  },
  ups: { name: 'UPS', plural: 'UPSs', categoryId: CATEGORY.ups, ofFixedSetup: [1] },
  networkSwitch: {
    name: 'network switch',
    plural: 'network switches',
    categoryId: CATEGORY.networkSwitch,
    ofFixedSetup: [1, 2],
  },
  // They are no components: only model 1 has them.
  powerSwitch: { name: 'power switch', plural: 'power switches', categoryId: undefined, ofFixedSetup: [1, 2] },
  router: {
    name: 'router with relay',
    plural: 'routers with relay',
    categoryId: CATEGORY.routerWithRelay,
    ofFixedSetup: [],
  },
  relay: { name: 'relay', plural: 'relays', categoryId: CATEGORY.networkRelay, ofFixedSetup: [] },
} as const satisfies Readonly<Record<string, unknown>>
export type PartKind = keyof typeof PARTS

export interface FittedDevice {
  readonly modelId: DeviceModelId
  readonly components: readonly { readonly categoryId: number; readonly number: number }[]
}

export function fittedNumbers({ modelId, components }: FittedDevice, kind: PartKind): readonly number[] {
  const { categoryId, ofFixedSetup } = PARTS[kind]
  const fixed = hasFixedSetup(modelId) ? ofFixedSetup : []
  const fitted = components.filter((component) => component.categoryId === categoryId).map(({ number }) => number)
  return [...new Set([...fixed, ...fitted])].toSorted((a, b) => a - b)
}

const listed = new Intl.ListFormat('en-GB')

/** Ends a sentence with what a device has of this kind: "this device has displays 1 and 2". */
export function fittedLabel(device: FittedDevice, kind: PartKind): string {
  const { name, plural } = PARTS[kind]
  const numbers = fittedNumbers(device, kind)
  if (numbers.length === 0) return `this device has no ${name}`
  if (numbers.length === 1) return `this device has only ${name} ${numbers[0]}`
  return `this device has ${plural} ${listed.format(numbers.map(String))}`
}
