import type { z } from 'zod'
import type { listConditionFields } from '#contract/http/alerting/thresholds.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { EVERY_FIELDS, fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { canBeWatched } from './conditionLabels.ts'

type FittedComponents = readonly { readonly componentModelId: number; readonly number: number }[]

type WatchableFields = z.input<(typeof listConditionFields)['answer']>

/** Lists what devices of any model report, because a customer or a tag has devices of several models. */
export const fieldsOfAllModels = (): WatchableFields =>
  [...new Map(DEVICE_MODELS.flatMap(({ id }) => watchableFields(id)).map((field) => [field.id, field])).values()].sort(
    (a, b) => a.id - b.id,
  )

/** Lists what a device with these components reports and a condition can watch; a model means a new device. */
export function watchableFields(
  modelId: DeviceModelId,
  components: FittedComponents = standardComponents(modelId),
): WatchableFields {
  const reported = reportedComponents(modelId, components)
  const types = new Set(reported.map(({ topic }) => topic))
  const fields = [
    // The number of displays may change, and a condition for every display covers the next one too.
    ...EVERY_FIELDS.filter(({ type }) => types.has(type.topic)),
    ...reported.flatMap(({ topic, number }) => fieldsOfComponent(eventTypeByTopic(topic)?.id ?? 0, number)),
  ].filter(canBeWatched)
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
