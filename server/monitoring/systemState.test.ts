import { expect, test } from 'vitest'
import type { SystemState } from '#contract/http/operation/system.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { watchedServer } from '#server/testing/wholeServer/watchedServer.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'

const watched = await watchedServer()

test('each server tells of all: what it does, who leads, how many devices it has, and what is wrong with what to do', async () => {
  const token = await openSession(
    watched.owner,
    await addUser(watched.owner, { username: 'admin@staff.example', functions: [1] }),
  )
  await watched.led()
  // A new server has tables for late readings of many days, and none of them holds any.
  await watched.owner.query(`create table reading_ups_20260101 partition of reading_ups
    for values from ('2026-01-01Z') to ('2026-01-02Z')`)
  const config = { roles: ['api' as const], publicUrl: 'http://127.0.0.1', mqttUrl: 'mqtt://127.0.0.1' }
  const other = await startWholeServer(watched.database, { config })
  try {
    const ask = async () =>
      (await askServer(other.localAddresses.httpUrl, 'System/GetSystemState', { token })).body as SystemState
    const told = await eventually(
      ask,
      ({ processes: [first, second] }) =>
        first?.told?.isLeading === true && first.told.connectedDevices === 1 && second?.told?.version !== undefined,
      20_000,
    )
    expect(told.processes.map(({ told }) => told)).toMatchObject([
      { roles: ['api', 'gateway', 'jobs'], isLeading: true, connectedDevices: 1, troubles: [] },
      { roles: ['api'], isLeading: false, connectedDevices: 0, jobs: [], troubles: [] },
    ])
    expect(told.processes[0]?.told?.jobs.length).toBeGreaterThan(0)
    expect(told).toMatchObject({ mailsWaiting: 0, backups: null, commandsWaiting: 0 })
    expect(told.databaseBytes).toBeGreaterThan(1_000_000)
    const [open, closed, ...others] = told.kept
    expect(told.closing.daysLeft).toBe(0)
    expect(open).toMatchObject({ kind: 'open', keptDays: 4, from: expect.stringMatching(/T00:00:00.000Z$/) })
    expect(Date.parse(open?.from ?? '')).toBeGreaterThan(Date.now() - 2 * DAY_MS)
    expect(open?.bytes).toBeGreaterThan(0)
    expect(closed).toEqual({ kind: 'closed', keptDays: 1096, bytes: 0, from: null, goesAt: null })
    expect(others.map(({ kind }) => kind)).toEqual(['messages', 'means', 'light', 'alerts'])

    const wrong = `update server_process set told = jsonb_set(told, '{troubles}', $1), told_at = now()
      where told->>'isLeading' = 'true'`
    await watched.owner.query(wrong, [JSON.stringify(['The disk of the database is full.', 'Nobody knows of this.'])])
    expect((await ask()).processes[0]?.told?.troubles).toEqual([
      {
        text: 'The disk of the database is full.',
        advice: 'Make room or enlarge it. Everything then continues automatically.',
      },
      { text: 'Nobody knows of this.', advice: null },
    ])
    // A report of an unknown version is not shown, and the process stores its own again.
    await watched.owner.query(`update server_process set told = '{"later": true}'`)
    expect((await ask()).processes[0]?.told).toBeNull()
    await eventually(ask, ({ processes }) => processes.every(({ told }) => told?.troubles.length === 0), 20_000)
  } finally {
    await other.stop()
  }
  const { body } = await askServer(watched.server.localAddresses.httpUrl, 'System/GetSystemState', { token })
  expect((body as SystemState).processes).toHaveLength(1)
}, 60_000)
