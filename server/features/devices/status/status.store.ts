import type { AlertId, DeviceId, DeviceModelId, FieldId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface FittedComponent {
  readonly componentModelId: number
  readonly number: number
  /** The ports of a network switch that nothing is plugged into. */
  readonly unusedPorts: readonly number[]
}

export interface FittedDevice {
  readonly modelId: DeviceModelId
  readonly components: readonly FittedComponent[]
}

export interface ActiveAlert {
  readonly id: AlertId
  readonly severityId: number
}

interface ComponentRow {
  readonly model_id: DeviceModelId
  readonly component_model_id: number | null
  readonly number: number | null
  readonly unused_ports: readonly number[] | null
}

const fittedSql = (isWithin: string) => `
  select device.model_id, component.component_model_id, component.number, component.unused_ports
  from device left join device_component component on component.device_id = device.id
  where device.id = $1 and device.deleted_at is null and ${isWithin}
  order by component.id`

const OF_ALL = fittedSql('true')
const OF_CUSTOMER = fittedSql('device.customer_id = $2')

const ACTIVE_ALERTS = `
  select distinct on (field_id) field_id as "fieldId", id::text,
    min(severity_id) over (partition by field_id) as "severityId"
  from alert
  where device_id = $1 and status_id = 1 and condition_state_id = 1 and withdrawn_at is null
  order by field_id, created_at desc, id desc`

/** Finds the device with its components, if it exists within the scope. */
export async function findFitted(queryable: Queryable, id: DeviceId, scope: Scope): Promise<FittedDevice | undefined> {
  const { rows } = await queryable.query<ComponentRow>(
    scope.kind === 'everything'
      ? { text: OF_ALL, values: [id] }
      : { text: OF_CUSTOMER, values: [id, scope.customerId] },
  )
  const [first] = rows
  if (!first) return undefined
  const components = rows.flatMap(({ component_model_id: componentModelId, number, unused_ports }) =>
    componentModelId === null || number === null ? [] : [{ componentModelId, number, unusedPorts: unused_ports ?? [] }],
  )
  return { modelId: first.model_id, components }
}

/** Finds the newest Opened and Active alert of each field of a device that was found, and the worst severity of them. */
export async function readActiveAlerts(queryable: Queryable, id: DeviceId): Promise<ReadonlyMap<FieldId, ActiveAlert>> {
  const { rows } = await queryable.query<{ fieldId: FieldId; id: string; severityId: number }>(ACTIVE_ALERTS, [id])
  return new Map(
    rows.map(({ fieldId, id: alertId, severityId }) => [fieldId, { id: Number(alertId) as AlertId, severityId }]),
  )
}
