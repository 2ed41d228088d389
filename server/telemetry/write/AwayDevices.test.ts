import pg from 'pg'
import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { checkReports } from '#server/telemetry/ingress/reportCheck.ts'
import type { Receipt } from '#server/telemetry/ingress/submission.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { WritePath } from './WritePath.ts'

const AWAY = 1 as DeviceId
const OTHER = 2 as DeviceId

/** The part of Citus that is asked, and a worker that refuses whatever names its device. */
const WORKER_SQL = `
  create table pg_dist_node (nodename text, nodeport integer, groupid integer);
  create table pg_dist_placement (shardid bigint, groupid integer);
  create table is_back (at timestamptz);
  insert into pg_dist_node values ('10.0.5.11', 5432, 1), ('10.0.5.12', 5432, 2);
  insert into pg_dist_placement values (${AWAY}, 1), (${OTHER}, 2);
  create function get_shard_id_for_distribution_column(text, integer) returns bigint return $2;
  create function citus_check_connection_to_node(text, integer) returns boolean return exists (select from is_back);
  create function refuse() returns trigger language plpgsql as $$ begin
    if new.device_id = ${AWAY} and not exists (select from is_back) then
      raise 'connection to the remote node wayside_app@10.0.5.11:5432 failed with the following error: no route'
        using errcode = '08006';
    end if;
    return new;
  end $$;
  create trigger refuse before insert on state_mark for each row execute function refuse();
  grant select on pg_dist_node, pg_dist_placement, is_back to public`

// Citus has these tables itself, and the drill stops its workers.
test.skipIf(CITUS_FOLDER !== undefined)(
  'while a worker is away the devices that it keeps are left out, and all others are stored',
  async () => {
    const database = await freshDatabase()
    const owner = new pg.Client(database.ownerUrl)
    await owner.connect()
    await owner.query(WORKER_SQL)
    const pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
    const said: string[] = []
    const path = new WritePath({
      ...{ pool, lanes: 1, retentionDays: 90, awayAfterMs: 100 },
      onStored: () => undefined,
      log: (sentence) => said.push(sentence),
    })
    const stored: DeviceId[] = []
    const submit = (deviceId: DeviceId): Receipt => {
      const receipt: Receipt = { stored: () => void stored.push(deviceId), hasHeld: false }
      const nowMs = Date.now()
      const door = { deviceId, topic: 'events/ups', nowMs, oldestMs: nowMs - DAY_MS }
      const payload = Buffer.from(JSON.stringify({ at: new Date(nowMs).toISOString(), values: { load: 5 } }))
      const checked = checkReports(door, layoutByTypeId(5) as EventLayout, 1, payload)
      path.submit({ deviceId, ...checked, messages: [], bytes: 9, packetToken: 1, arrivedAtMs: nowMs, receipt })
      return receipt
    }

    const held = submit(AWAY)
    submit(OTHER)
    await eventually(async () => stored.length, Boolean)
    const later = submit(AWAY)
    submit(OTHER)
    await eventually(
      async () => stored.length,
      (count) => count === 2,
    )
    expect(stored).toEqual([OTHER, OTHER])
    expect([held.hasHeld, later.hasHeld, path.isHolding, path.trouble]).toEqual([true, true, true, undefined])
    expect(said).toContain('A worker of the database is away; its devices keep their reports until it is back.')
    await path.mergeState()

    await owner.query('insert into is_back values (now())')
    await eventually(
      async () => path.isHolding,
      (isHolding) => !isHolding,
    )
    submit(AWAY)
    await eventually(
      async () => stored.at(-1),
      (last) => last === AWAY,
    )
    await path.stop(1000)
    await pool.end()
    await owner.end()
    await database.drop()
  },
)
