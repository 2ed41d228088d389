import { type Insertable, type Selectable, sql } from 'kysely'
import { categoryOfModel } from '#domain/components/componentFields.ts'
import type { EditedComponent } from '#domain/components/deviceComponent.ts'
import type { ButtonRule } from '#domain/displays/buttonRules.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import { statementsOf } from '#server/db/statements.ts'
import { countUpSettings } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { noteOtherConditions } from '#server/telemetry/alerts/refold/strayAlerts.ts'
import { readComponentStates } from '#server/telemetry/state/currentState.ts'

export interface SavedComponent extends Omit<EditedComponent, 'removed'> {
  readonly als: number | null
  readonly touchMatrix: number | null
  readonly isExpected: boolean
  readonly unusedPorts: readonly number[]
  readonly batch: string
  readonly installedOn: string | null
}

export interface ComponentChanges {
  readonly removedIds: readonly number[]
  readonly changed: readonly SavedComponent[]
  /** The database gives these their ids. */
  readonly added: readonly SavedComponent[]
}

export async function listComponents(db: Db | Tx, deviceId: DeviceId): Promise<SavedComponent[]> {
  const rows = await db
    .selectFrom('device_component')
    .selectAll()
    .select(sql<string | null>`to_char(installed_on, 'YYYY-MM-DD')`.as('installedOn'))
    .where('device_id', '=', deviceId)
    .orderBy('category_id')
    .orderBy('number')
    .execute()
  return rows.map(toComponent)
}

/** Applies all changes with the transaction; the device receives its settings after the commit. */
export async function applyComponents(
  transaction: Tx,
  deviceId: DeviceId,
  { removedIds, changed, added }: ComponentChanges,
): Promise<void> {
  // Changed rows are deleted and inserted again, because two components may have exchanged their unique numbers.
  const outIds = [...removedIds, ...changed.map(({ id }) => id)]
  if (outIds.length > 0) {
    await transaction
      .deleteFrom('device_component')
      .where('device_id', '=', deviceId)
      .where('id', 'in', outIds)
      .execute()
  }
  const back = changed.map((component) => ({ ...toRow(deviceId, component), id: component.id }))
  if (back.length > 0) await transaction.insertInto('device_component').values(back).execute()
  const more = added.map((component) => toRow(deviceId, component))
  if (more.length > 0) await transaction.insertInto('device_component').values(more).execute()
  if (outIds.length + more.length === 0) return
  await countUpSettings(transaction, deviceId)
  await noteOtherConditions(transaction, deviceId)
}

/** Reads the device time of the newest report by `event type/number`. */
export async function newestReportsOf(db: Db, deviceId: DeviceId): Promise<ReadonlyMap<string, Date>> {
  const wanted = { isWanted: () => false }
  const states = await readComponentStates(statementsOf(db), { kind: 'everything' }, [deviceId], wanted)
  const components = states.get(deviceId) ?? []
  return new Map(components.map(({ eventTypeId, number, newestAt }) => [`${eventTypeId}/${number}`, newestAt]))
}

type Row = Selectable<Database['device_component']> & { readonly installedOn: string | null }

function toComponent(row: Row): SavedComponent {
  return {
    id: row.id,
    modelId: row.component_model_id,
    number: row.number,
    label: row.label,
    labelReset: row.label_reset,
    labelPort1: row.label_port1,
    labelPort2: row.label_port2,
    optionPort1: row.option_port1 as SavedComponent['optionPort1'],
    optionPort2: row.option_port2 as SavedComponent['optionPort2'],
    als: row.als,
    touchMatrix: row.touch_matrix,
    jsonSettings: row.json_settings as readonly ButtonRule[] | null,
    isExpected: row.is_expected,
    unusedPorts: row.unused_ports,
    batch: row.batch,
    installedOn: row.installedOn,
  }
}

function toRow(deviceId: DeviceId, component: SavedComponent): Insertable<Database['device_component']> {
  return {
    device_id: deviceId,
    component_model_id: component.modelId,
    category_id: categoryOfModel(component.modelId)?.id ?? 0,
    number: component.number,
    label: component.label,
    label_reset: component.labelReset,
    label_port1: component.labelPort1,
    label_port2: component.labelPort2,
    option_port1: component.optionPort1,
    option_port2: component.optionPort2,
    als: component.als,
    touch_matrix: component.touchMatrix,
    json_settings: component.jsonSettings && JSON.stringify(component.jsonSettings),
    is_expected: component.isExpected,
    unused_ports: [...component.unusedPorts],
    batch: component.batch,
    installed_on: component.installedOn,
  }
}
