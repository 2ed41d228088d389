import { type EventTypeTopic, eventTypeByTopic } from '../catalogue/eventTypes.ts'
import type { ComponentModelId, DeviceModelId } from '../ids.ts'
import { componentModelById } from './componentModels.ts'

export interface StandardComponent {
  readonly componentModelId: ComponentModelId
  readonly number: number
  readonly label: string
  readonly als: number | null
  readonly touchMatrix: number | null
}

type Links = Partial<Pick<StandardComponent, 'als' | 'touchMatrix'>>

const component = (componentModelId: number, number: number, label: string, links: Links = {}): StandardComponent => ({
  componentModelId: componentModelId as ComponentModelId,
  number,
  label,
  als: links.als ?? null,
  touchMatrix: links.touchMatrix ?? null,
})

const ALT_1920_TOTEM = [
  component(7, 1, 'Display', { als: 1, touchMatrix: 1 }),
  component(8, 1, 'Ambient sensor'),
  component(10, 1, 'Touch screen'),
  component(3, 1, 'Controller'),
  component(5, 1, 'UPS'),
  component(14, 1, 'Network switch 1'),
  component(14, 2, 'Network switch 2'),
]

const THREE_DISPLAY_KIOSK = [
  component(17, 1, 'Front display', { als: 1 }),
  component(17, 2, 'Left display', { als: 1 }),
  component(17, 3, 'Right display', { als: 1 }),
  component(8, 1, 'Ambient sensor'),
  component(5, 1, 'UPS'),
  component(18, 1, 'Router'),
  component(4, 1, 'Relay'),
  component(19, 1, 'Street camera'),
  component(19, 2, 'Cabinet camera'),
  component(21, 1, 'Buttons'),
]

const BY_MODEL: ReadonlyMap<number, readonly StandardComponent[]> = new Map([
  [1, ALT_1920_TOTEM],
  [15, THREE_DISPLAY_KIOSK],
  [16, [...THREE_DISPLAY_KIOSK, component(9, 1, 'AED compartment sensor')]],
  [
    22,
    [
      component(17, 1, 'Display', { als: 1, touchMatrix: 1 }),
      component(8, 1, 'Ambient sensor'),
      component(10, 1, 'Touch screen'),
      component(3, 1, 'Controller'),
      component(5, 1, 'UPS'),
      component(18, 1, 'Router'),
      component(4, 1, 'Relay'),
    ],
  ],
])

const SMALLEST = [component(7, 1, 'Display', { als: 1 }), component(8, 1, 'Ambient sensor')]

/** Returns the components of a new device of this model; an operator corrects them on the Components tab. */
export function standardComponents(modelId: DeviceModelId): readonly StandardComponent[] {
  return BY_MODEL.get(modelId) ?? SMALLEST
}

/** Models whose displays are fed by two switched outlets report them beside their components (rules/components 15). */
const MODELS_WITH_POWER_SWITCH: readonly number[] = [1]

export interface ReportedComponent {
  readonly topic: EventTypeTopic
  readonly number: number
}

/**
 * Returns the reports of a device with these components. The computer itself (`device`) always reports, and two network
 * switches share one report, so numbers that the event type does not have are left out.
 */
export function reportedComponents(
  modelId: DeviceModelId,
  components: readonly { readonly componentModelId: number; readonly number: number }[],
): readonly ReportedComponent[] {
  const fitted = components.flatMap(({ componentModelId, number }): ReportedComponent[] => {
    const topic = componentModelById(componentModelId)?.reports
    return topic && number <= (eventTypeByTopic(topic)?.prefixes.length ?? 0) ? [{ topic, number }] : []
  })
  const switches: ReportedComponent[] = MODELS_WITH_POWER_SWITCH.includes(modelId)
    ? [{ topic: 'power-switch', number: 1 }]
    : []
  return [{ topic: 'device', number: 1 }, ...fitted, ...switches]
}
