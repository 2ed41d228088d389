import { eventTypeByTopic } from '../catalogue/eventTypes.ts'
import type { EventTypeId } from '../ids.ts'
import { componentModelById } from './componentModels.ts'

/** Two network switches share one report. Undefined if the values come with another component's report. */
function reportOf(component: {
  readonly componentModelId: number
  readonly number: number
}): { readonly eventTypeId: EventTypeId; readonly number: number } | undefined {
  const topic = componentModelById(component.componentModelId)?.reports
  const type = topic && eventTypeByTopic(topic)
  return type && { eventTypeId: type.id, number: Math.min(component.number, type.prefixes.length) }
}

/** Returns components that never reported although the device did. Confirmed ones are left out. */
export function unreportedComponents<
  Component extends { readonly componentModelId: number; readonly number: number; readonly isExpected: boolean },
>(
  components: readonly Component[],
  reported: readonly { readonly eventTypeId: number; readonly number: number }[],
): readonly Component[] {
  if (reported.length === 0) return []
  const known = new Set(reported.map(({ eventTypeId, number }) => `${eventTypeId}/${number}`))
  return components.filter((component) => {
    const report = reportOf(component)
    return report && !component.isExpected && !known.has(`${report.eventTypeId}/${report.number}`)
  })
}
