import type { z } from 'zod'
import type { listConditionFields } from '#contract/http/alertConditions.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { canBeWatched } from './conditionWords.ts'

type FittedComponents = readonly { readonly componentModelId: number; readonly number: number }[]

/** What a device with these components reports and a condition can watch; of a model, what a new device has. */
export function watchableFields(
  modelId: DeviceModelId,
  components: FittedComponents = standardComponents(modelId),
): z.input<(typeof listConditionFields)['answer']> {
  const fields = reportedComponents(modelId, components)
    .flatMap(({ topic, number }) => fieldsOfComponent(eventTypeByTopic(topic)?.id ?? 0, number))
    .filter(canBeWatched)
  return [...new Map(fields.map((numbered) => [numbered.id, numbered])).values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, wireName, type, groupName, field }) => ({
      id,
      name,
      dbName: wireName,
      attTypeId: field.attributeTypeId,
      groupId: type.id,
      groupName,
      unit: field.unit ?? null,
    }))
}
