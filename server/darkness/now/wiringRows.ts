import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { ChainComponent } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'

export async function readComponents(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, readonly ChainComponent[]>> {
  const { rows } = await statements.query<ChainComponent & { device_id: DeviceId }>(
    `select device_id, component_model_id as "componentModelId", number, label, label_port1 as "labelPort1",
       label_port2 as "labelPort2", als,
       unused_ports as "unusedPorts"
     from device_component where device_id = any($1::int[])`,
    [deviceIds],
  )
  return Map.groupBy(rows, ({ device_id }) => device_id)
}

/** Reads where the wiring was changed from the model's. */
export async function readFeeds(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, Feeds>> {
  const { rows } = await statements.query<{ device_id: DeviceId; feeds: Feeds }>(
    `select device_id, json_object_agg(part, fed_by order by part) as feeds
     from device_feed where device_id = any($1::int[]) group by device_id`,
    [deviceIds],
  )
  return new Map(rows.map(({ device_id, feeds }) => [device_id, feeds]))
}
