import { eventTypeByTopic } from '../catalogue/eventTypes.ts'
import type { EventTypeId } from '../ids.ts'
import { componentModelById } from './componentModels.ts'

/**
 * Returns the report that contains a component: two network switches share one. Undefined if another component's report
 * does.
 */
function reportOf(component: {
  readonly componentModelId: number
  readonly number: number
}): { readonly eventTypeId: EventTypeId; readonly number: number } | undefined {
  const topic = componentModelById(component.componentModelId)?.reports
  const type = topic && eventTypeByTopic(topic)
  return type && { eventTypeId: type.id, number: Math.min(component.number, type.prefixes.length) }
}

/**
 * Returns components that a device has never reported, though it has reported others, so they may not exist. Confirmed
 * ones are left out.
 */
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
