import type { ComponentCategoryId } from '../ids.ts'
import { COMPONENT_CATEGORIES, type ComponentCategory, componentModelById } from './componentModels.ts'
import type { EditedComponent } from './deviceComponent.ts'

export const CATEGORY = {
  ecu: 2,
  networkRelay: 3,
  ups: 4,
  display: 6,
  ambientSensor: 7,
  touchScreen: 9,
  networkSwitch: 13,
  routerWithRelay: 14,
  buttons: 17,
} as const

/** A network switch has two ports; two switches share one report of four (rules/components 12). */
export const PORTS_PER_SWITCH = 2

/** Returns the number that a network switch's port has in the report: those of the second switch begin at 3. */
export const networkPort = (switchNumber: number, port: number): number => (switchNumber - 1) * PORTS_PER_SWITCH + port

export const LONGEST_LABEL = 100

export type LabelField = 'label' | 'labelReset' | 'labelPort1' | 'labelPort2'

export const LABEL_NAMES: Readonly<Record<LabelField, string>> = {
  label: 'label',
  labelReset: 'reset label',
  labelPort1: 'port 1 label',
  labelPort2: 'port 2 label',
}

const REQUIRED_LABELS: ReadonlyMap<number, readonly LabelField[]> = new Map([
  [CATEGORY.display, ['label']],
  [CATEGORY.networkRelay, ['label', 'labelPort1', 'labelPort2']],
  [CATEGORY.networkSwitch, ['label', 'labelReset']],
  [CATEGORY.routerWithRelay, ['label', 'labelReset']],
])

/** The setup page shows these labels on its buttons, so a component must have them (rules/components 7). */
export function requiredLabels(categoryId: number): readonly LabelField[] {
  return REQUIRED_LABELS.get(categoryId) ?? []
}

const OWN_TEXTS: readonly (readonly [number, Partial<Record<LabelField | 'optionPort1' | 'optionPort2', string>>])[] = [
  [CATEGORY.networkRelay, { labelPort1: 'Port 1', labelPort2: 'Port 2', optionPort1: 'FULL', optionPort2: 'FULL' }],
  [CATEGORY.networkSwitch, { labelReset: 'Reset' }],
  [CATEGORY.routerWithRelay, { labelReset: 'Reset' }],
]

/** Returns the button texts of a new component until somebody names them; complete except for its label. */
export function newComponentTexts(categoryId: number) {
  const own = OWN_TEXTS.find(([id]) => id === categoryId)?.[1] ?? {}
  const none = { labelReset: '', labelPort1: '', labelPort2: '', optionPort1: '', optionPort2: '' } as const
  return { ...none, ...own } as Pick<
    EditedComponent,
    'labelReset' | 'labelPort1' | 'labelPort2' | 'optionPort1' | 'optionPort2'
  >
}

export function componentCategory(categoryId: number): ComponentCategory | undefined {
  return COMPONENT_CATEGORIES.find(({ id }) => id === categoryId)
}

/** Returns the category of a component model; undefined when there is no such model. */
export function categoryOfModel(modelId: number): ComponentCategory | undefined {
  const categoryId: ComponentCategoryId | undefined = componentModelById(modelId)?.categoryId
  return categoryId === undefined ? undefined : componentCategory(categoryId)
}

export const componentTitle = ({ modelId, number }: { readonly modelId: number; readonly number: number }): string =>
  `${categoryOfModel(modelId)?.name ?? 'Component'} ${number}`

/** Removes what its category lacks, so that no hidden value remains; a port is FULL until it is restricted. */
export function normalComponent<Component extends Omit<EditedComponent, 'removed'>>(component: Component): Component {
  const categoryId = categoryOfModel(component.modelId)?.id
  const isDisplay = categoryId === CATEGORY.display
  const hasPorts = categoryId === CATEGORY.networkRelay
  return {
    ...component,
    optionPort1: hasPorts ? component.optionPort1 || 'FULL' : '',
    optionPort2: hasPorts ? component.optionPort2 || 'FULL' : '',
    als: isDisplay ? component.als : null,
    touchMatrix: isDisplay ? component.touchMatrix : null,
    jsonSettings: categoryId === CATEGORY.buttons ? component.jsonSettings : null,
    ...(component.batch !== undefined && { batch: isDisplay ? component.batch : '' }),
    ...(component.installedOn !== undefined && { installedOn: isDisplay ? component.installedOn : null }),
    ...(component.unusedPorts && {
      unusedPorts: categoryId === CATEGORY.networkSwitch ? [...new Set(component.unusedPorts)].sort() : [],
    }),
  }
}
