import type { EventTypeTopic } from '../catalogue/eventTypes.ts'
import type { ComponentCategoryId, ComponentModelId } from '../ids.ts'

export interface ComponentCategory {
  readonly id: ComponentCategoryId
  readonly name: string
  readonly maximumNumber: number
}

const category = (id: number, name: string, maximumNumber: number): ComponentCategory => ({
  id: id as ComponentCategoryId,
  name,
  maximumNumber,
})

/** The categories, with how many of each a device can have (rules/components 1). */
export const COMPONENT_CATEGORIES: readonly ComponentCategory[] = [
  category(2, 'ECU', 3),
  category(3, 'Network relay', 2),
  category(4, 'UPS', 1),
  category(6, 'Display', 3),
  category(7, 'Ambient sensor', 3),
  category(8, 'Liquid sensor', 1),
  category(9, 'Touch screen', 3),
  category(13, 'Network switch', 2),
  category(14, 'Network router with power relay', 2),
  category(15, 'IP Camera', 2),
  category(16, 'Beaglebone', 1),
  category(17, 'Yocto button', 1),
]

export interface ComponentModel {
  readonly id: ComponentModelId
  readonly name: string
  readonly categoryId: ComponentCategoryId
  /** The reports of this model; absent if its values come with another component's report. */
  readonly reports?: EventTypeTopic
  /** If true, an operator can add it (rules/components 2). */
  readonly isOffered: boolean
}

const componentModel = (
  id: number,
  name: string,
  categoryId: number,
  reports?: EventTypeTopic,
  isOffered = true,
): ComponentModel => ({
  id: id as ComponentModelId,
  name,
  categoryId: categoryId as ComponentCategoryId,
  ...(reports ? { reports } : {}),
  isOffered,
})

export const COMPONENT_MODELS: readonly ComponentModel[] = [
  componentModel(3, 'ECU', 2, 'ecu'),
  componentModel(4, 'NetworkRelay', 3, 'relay'),
  componentModel(5, 'UPS', 4, 'ups'),
  componentModel(7, 'Display_ALT_1920', 6, 'display'),
  componentModel(8, 'AmbientSensor', 7),
  componentModel(9, 'LiquidSensor', 8, undefined, false),
  componentModel(10, 'TouchMatrix', 9),
  componentModel(14, 'NetworkSwitch', 13, 'router'),
  componentModel(17, 'Display_SP_4096', 6, 'display'),
  componentModel(18, 'NetworkRouterWithRelay', 14, 'router-relay'),
  componentModel(19, 'Camera', 15, 'camera'),
  componentModel(21, 'Yocto5Buttons', 17, 'yocto'),
]

export function componentModelById(id: number): ComponentModel | undefined {
  return COMPONENT_MODELS.find((model) => model.id === id)
}

/** Names a model in words: the `NetworkRelay` of the wire is a "Network relay", `Display_ALT_1920` a "Display ALT 1920". */
export const componentModelTitle = ({ name }: Pick<ComponentModel, 'name'>): string =>
  name
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])(?=[A-Z\d])|(?<=\d)(?=[A-Z])/g, ' ')
    .replace(/(?<= )[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
