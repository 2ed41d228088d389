import { METRIC_GROUPS_BY_MODEL } from '../devices/models.ts'
import type { DeviceModelId } from '../ids.ts'
import { NUMBERED_FIELDS, type NumberedField } from './fieldId.ts'

/** What a chart of a device offers goes by its model, not by the components that are present (rules/analytics 1). */
export function measurementsOfModel(modelId: DeviceModelId): readonly NumberedField[] {
  const groups = METRIC_GROUPS_BY_MODEL.get(modelId)
  return NUMBERED_FIELDS.filter(
    ({ field, groupName }) =>
      field.isMeasurement && !field.hiddenFrom.includes('metrics') && (!groups || groups.includes(groupName)),
  )
}
