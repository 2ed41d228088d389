import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { NOTICES_CHANNEL, noticeText } from '#server/fleet/deviceNotices.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'
import { passTime } from '#testing/passTime.ts'

/** The default would be ten seconds. */
const ANSWER_SECONDS = 2
const LATE_MS = 1000 * ANSWER_SECONDS + 500

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: ReturnType<typeof openPool>
let server: RunningServer
let devices: PlayedDevice[]
let token: string

beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  // A claim that has judged the age is held before its commit, until nobody holds the gate.
  await owner.query(`
    create table claim_gate as select 1 as one;
    create function hold_claim() returns trigger language plpgsql security definer as
      $$ begin perform from public.claim_gate for share; return null; end $$;
    create constraint trigger hold_claim after update on device_command deferrable initially deferred
      for each row when (new.state = 'sent') execute function hold_claim();`)
  server = await startWholeServer(database, { config: { deviceAnswerSeconds: ANSWER_SECONDS } })
  token = await openSession(owner, await addUser(owner, { username: 'manager@staff.example', functions: [2] }))
  devices = (await insertDevices(owner, 5, { modelId: 1 })).map((device) => new PlayedDevice(device))
  for (const played of devices) await played.connect(Number(new URL(server.localAddresses.mqttUrl).port), owner)
}, 120_000)
afterAll(async () => {
  for (const { client } of devices) client?.end(true)
  await server.stop()
  await owner.end()
  await database.drop()
})

const ask = (path: string, body: object) =>
  askServer(server.localAddresses.httpUrl, path, { token, method: 'POST', body })
const commandsOf = async ({ device }: PlayedDevice) =>
  (await owner.query('select state, sent_at from device_command where device_id = $1', [device.id])).rows

async function taken(played: PlayedDevice): Promise<void> {
  const rows = await eventually(
    () => commandsOf(played),
    ([row]) => row?.state !== 'accepted' && row?.state !== 'sent',
  )
  expect(rows).toEqual([{ state: 'expired', sent_at: null }])
}

const holdClaims = () => hold('claim_gate')

/** Makes the database hold whatever needs these rows. @returns a function that releases them */
async function hold(rows: string): Promise<() => Promise<void>> {
  const holder = await owner.connect()
  await holder.query('begin')
  await holder.query(`select from ${rows} for update`)
  return async () => {
    await holder.query('rollback')
    holder.release()
  }
}

const claimWaits = () => somethingWaits('%claimed%')
const somethingWaits = (query: string) =>
  eventually(
    async () =>
      (
        await owner.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
          [query],
        )
      ).rowCount,
    (count) => count === 1,
  )

test('a power command whose claim the database holds until its time is over never reaches the device', async () => {
  const [played] = devices as [PlayedDevice]
  const release = await holdClaims()
  const asked = ask('Device/UpsReboot', { deviceId: played.device.id })
  await claimWaits()
  await passTime(LATE_MS, 'the time of the command is over')
  await release()
  expect((await asked).status).toBeGreaterThanOrEqual(400)
  await taken(played)
  // The next command shows that nothing was in flight before it.
  await ask('Device/ApplyDisplaySettings', { deviceId: played.device.id, displayNumber: 1, dBrightness: 40 })
  expect(played.commands.map(({ command }) => command.name)).toEqual(['display.apply'])
})

test('a process that is frozen between its claim and its write sends nothing when it goes on late', async () => {
  const [, played] = devices as [PlayedDevice, PlayedDevice]
  const release = await holdClaims()
  const asked = ask('Device/UpsReboot', { deviceId: played.device.id })
  await claimWaits()
  const released = release()
  // The claim is committed meanwhile, and its answer waits in the socket of this frozen process.
  freeze(LATE_MS)
  await released
  expect((await asked).status).toBeGreaterThanOrEqual(400)
  await taken(played)
  expect(played.commands).toEqual([])
})

test('a press that the database accepts only when its time is over is refused, and says that nothing was sent', async () => {
  const played = devices[3] as PlayedDevice
  const release = await hold(`device where id = ${played.device.id}`)
  const asked = ask('Device/UpsReboot', { deviceId: played.device.id })
  await somethingWaits('%for no key update%')
  await passTime(LATE_MS, 'the time of the press is over')
  await release()
  expect(await asked).toMatchObject({ status: 503, body: { code: 'command_too_late' } })
  expect(await commandsOf(played)).toEqual([])
  const audited = await owner.query('select outcome from audit_log where entity_id = $1', [played.device.id])
  expect(audited.rows).toEqual([{ outcome: 'command_too_late' }])
  expect(played.commands).toEqual([])
})

test('the time of a press begins with it, and not when the database has accepted it', async () => {
  const played = devices[4] as PlayedDevice
  const [accept, claim] = [await hold(`device where id = ${played.device.id}`), await holdClaims()]
  const asked = ask('Device/UpsReboot', { deviceId: played.device.id })
  await somethingWaits('%for no key update%')
  await passTime(LATE_MS - 1000, 'most of the time of the press is over')
  await accept()
  await claimWaits()
  await passTime(1000, 'the time of the press is over, that since its acceptance is not')
  await claim()
  expect((await asked).status).toBeGreaterThanOrEqual(400)
  await taken(played)
  expect(played.commands).toEqual([])
})

test('settings whose command came too late are sent as a document instead, although no call waits any more', async () => {
  const played = devices[2] as PlayedDevice
  const deviceId = played.device.id
  const release = await holdClaims()
  await owner.query(
    `with version as (insert into device_settings (device_id, version) values ($1, 2)),
       wish as (insert into device_setting (device_id, section, number, desired, waiting_version)
                values ($1, 'display', 1, '{"displayNumber":1,"brightness":40}', 2)),
       command as (insert into device_command (device_id, name, args, settings_version, username, expires_at)
                   values ($1, 'display.apply', '{"displayNumber":1,"brightness":40}', 2, '', now() + interval '1 min'))
     select pg_notify($2, $3)`,
    [deviceId, NOTICES_CHANNEL, noticeText({ kind: 'accepted', deviceId })],
  )
  await claimWaits()
  await passTime(LATE_MS, 'the time of the command is over')
  await release()
  await taken(played)
  const wished = () => played.documents.flatMap(({ sections }) => sections.map(({ section }) => section))
  const sent = await eventually(
    async () => wished(),
    (sections) => sections.includes('display'),
    5_000,
  )
  expect(sent).toContain('display')
  expect(played.commands).toEqual([])
})

/** Blocks this process, as when the system stops it. */
function freeze(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
