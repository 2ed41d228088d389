import { METRIC_GROUPS_BY_MODEL } from '../devices/models.ts'
import type { DeviceModelId } from '../ids.ts'
import { NUMBERED_FIELDS, type NumberedField } from './fieldId.ts'

/** Returns what charts of a device offer; that depends on its model, not on its components (rules/analytics 1). */
export function measurementsOfModel(modelId: DeviceModelId): readonly NumberedField[] {
  const groups = METRIC_GROUPS_BY_MODEL.get(modelId)
  return NUMBERED_FIELDS.filter(
    ({ field, groupName }) =>
      field.isMeasurement && !field.hiddenFrom.includes('metrics') && (!groups || groups.includes(groupName)),
  )
}
