import type { Insertable } from 'kysely'
import { categoryOfModel, newComponentTexts } from '#domain/components/componentFields.ts'
import type { StandardComponent } from '#domain/components/standardComponents.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Database } from '#server/db/schema.ts'

export function componentRows(
  deviceId: DeviceId,
  components: readonly StandardComponent[],
): Insertable<Database['device_component']>[] {
  return components.flatMap(({ componentModelId, number, label, als, touchMatrix }) => {
    const category = categoryOfModel(componentModelId)
    if (!category) return []
    const { labelReset, labelPort1, labelPort2, optionPort1, optionPort2 } = newComponentTexts(category.id)
    return [
      {
        device_id: deviceId,
        component_model_id: componentModelId,
        category_id: category.id,
        number,
        label,
        label_reset: labelReset,
        label_port1: labelPort1,
        label_port2: labelPort2,
        option_port1: optionPort1,
        option_port2: optionPort2,
        als,
        touch_matrix: touchMatrix,
      },
    ]
  })
}
