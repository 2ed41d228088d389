import { eventTypeByTopic } from '../catalogue/eventTypes.ts'
import type { EventTypeId } from '../ids.ts'
import { componentModelById } from './componentModels.ts'

/** Which report tells of a component: two network switches share one. Undefined where another component's report does. */
function reportOf(component: {
  readonly componentModelId: number
  readonly number: number
}): { readonly eventTypeId: EventTypeId; readonly number: number } | undefined {
  const topic = componentModelById(component.componentModelId)?.reports
  const type = topic && eventTypeByTopic(topic)
  return type && { eventTypeId: type.id, number: Math.min(component.number, type.prefixes.length) }
}

/**
 * Components that a device has never reported, though it has reported others: each may not be there at all. None of those
 * that somebody expects.
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
