import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { POWER_CALLS } from '#contract/http/devices/commands.ts'
import { addUser, openBoundSession, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { passTime } from '#testing/passTime.ts'

const SILENT = 'The device has not answered within 10 seconds. It is unknown whether it carried out the command.'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 36 })
}, 120_000)
afterAll(() => fixture.close())

let next = 0
/** Gives a device that no other test uses, not connected. */
function newDevice(): PlayedDevice {
  const device = fixture.devices[next++]
  if (!device) throw new Error('More devices are needed.')
  return device
}
async function connectedDevice(): Promise<PlayedDevice> {
  const played = newDevice()
  await fixture.connect(played)
  return played
}

const idOf = ({ device }: PlayedDevice) => ({ deviceId: device.id })
const kept = (played: PlayedDevice) =>
  fixture.rows<{ id: string; state: string; text: string }>(
    'select id, state, text from device_command where device_id = $1 order by accepted_at',
    [played.device.id],
  )
const states = async (played: PlayedDevice) => (await kept(played)).map(({ state }) => state)
const audited = async (played: PlayedDevice) =>
  (
    await fixture.rows<{ outcome: string }>('select outcome from audit_log where entity_id = $1 order by id', [
      played.device.id,
    ])
  ).map(({ outcome }) => outcome)
/** Moves all commands of the device into the past. */
const age = (played: PlayedDevice, seconds: number) =>
  fixture.rows(
    `update device_command set accepted_at = accepted_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2) where device_id = $1`,
    [played.device.id, seconds],
  )

test('a power action reaches the device, its words are the answer, and every step has its time', async () => {
  const played = await connectedDevice()
  const answer = await fixture.ask('Device/UpsReboot', { query: idOf(played) })
  expect(answer).toMatchObject({ status: 200, body: 'ups.reboot is done.' })
  const { command } = played.commands[0] ?? {}
  expect(command).toMatchObject({ name: 'ups.reboot', args: {} })
  expect(Date.parse(command?.expiresAt ?? '') - Date.parse(command?.issuedAt ?? '')).toBeLessThanOrEqual(60_000)
  const list = await fixture.ask('Device/GetDeviceCommandList', { query: idOf(played) })
  const [row] = (list.body as { rows: Record<string, string>[] }).rows
  expect(row).toMatchObject({ state: 'done', username: 'manager@staff.example', text: 'ups.reboot is done.' })
  const moments = [row?.acceptedAt, row?.sentAt, row?.endedAt].map((moment) => Date.parse(moment ?? ''))
  expect(moments).toEqual([...moments].sort())
  expect(await audited(played)).toEqual(['done'])
})

test('every power call is one command of the device, by GET and by POST', async () => {
  const played = await connectedDevice()
  await fixture.rows(
    `insert into device_component (device_id, component_model_id, category_id, number)
     values ($1, 4, 3, 2), ($1, 18, 14, 2)`,
    [played.device.id],
  )
  const more = { number: 2, port: 1, on: true }
  for (const [index, { path, query }] of POWER_CALLS.entries()) {
    const names = Object.keys(query.shape).filter((name) => name in more)
    const asked = {
      ...idOf(played),
      ...Object.fromEntries(names.map((name) => [name, more[name as keyof typeof more]])),
    }
    const answer = await fixture.ask(path, index % 2 ? { query: asked } : { method: 'POST', body: asked })
    expect(answer.status, path).toBe(200)
    await age(played, 60)
  }
  expect(played.commands.map(({ command: { name, args } }) => [name, args])).toEqual([
    ['ups.reboot', {}],
    ['ups.shutdown', {}],
    ['ups.groupReset', { group: 1 }],
    ['ups.groupReset', { group: 2 }],
    ['router.reset', { number: 1 }],
    ['router.reset', { number: 2 }],
    ['powerSwitch.set', { number: 1, on: true }],
    ['powerSwitch.set', { number: 1, on: false }],
    ['powerSwitch.reset', { number: 1 }],
    ['powerSwitch.set', { number: 2, on: true }],
    ['powerSwitch.set', { number: 2, on: false }],
    ['powerSwitch.reset', { number: 2 }],
    ['routerRelay.reset', { number: 2 }],
    ['routerRelay.portReset', { number: 2 }],
    ['routerRelay.set', { number: 2, on: true }],
    ['relay.reset', { number: 2, port: 1 }],
    ['relay.set', { number: 2, port: 1, on: true }],
    ['ups.batteryTest', {}],
    ['computer.reboot', {}],
  ])
}, 180_000)

test('a refusal is answered in the own words of the device', async () => {
  const played = await connectedDevice()
  played.answer = () => ({ ok: false, text: 'No.', errors: ['There is no UPS.', 'Ask somebody else.'] })
  const answer = await fixture.ask('Device/UpsShutdown', { query: idOf(played) })
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'device_refused', message: 'There is no UPS. Ask somebody else.' },
  })
  expect(await states(played)).toEqual(['refused'])
  expect(await audited(played)).toEqual(['done'])
})

test('a client that is too old to restart its computer says so, and the next means may be tried at once', async () => {
  const played = await connectedDevice()
  // Clients that are older than the command answer like this.
  const errors = ['name: Invalid option: expected one of "ups.reboot"|"ups.shutdown"']
  played.answer = ({ name }) =>
    name === 'computer.reboot'
      ? { ok: false, text: 'The device does not understand this command.', errors }
      : { ok: true, text: 'Done.', errors: [] }
  expect(await fixture.ask('Device/RestartComputer', { query: idOf(played) })).toMatchObject({
    status: 409,
    body: { code: 'device_refused', message: 'The client of this device is too old for this command.' },
  })
  expect((await fixture.ask('Device/UpsReboot', { query: idOf(played) })).status).toBe(200)
  expect((await fixture.ask('Device/UpsShutdown', { query: idOf(played) })).status).toBe(429)
})

test('a call at one process reaches a device at the other, and its answer comes back', async () => {
  const played = newDevice()
  await fixture.connect(played, fixture.there)
  const answer = await fixture.ask('Device/UpsReboot', { query: idOf(played) }, fixture.here)
  expect(answer).toMatchObject({ status: 200, body: 'ups.reboot is done.' })
  expect(played.commands).toHaveLength(1)
})

test('of two connections of a device at two processes only the newer one gets the command', async () => {
  const played = newDevice()
  const newer = new PlayedDevice(played.device)
  await fixture.connect(played, fixture.here)
  const connected = fixture.connect(newer, fixture.there)
  await eventually(
    () => fixture.rows('select from device_connection where device_id = $1', [played.device.id]),
    (rows) => rows.length === 2,
  )
  const answer = await fixture.ask('Device/UpsReboot', { query: idOf(played) })
  expect([answer.status, played.commands.length, newer.commands.length]).toEqual([200, 0, 1])
  await played.client?.endAsync()
  await connected
  await newer.client?.endAsync()
})

test('for a device that is offline or deactivated nothing is kept, and the refusal is audited', async () => {
  const offline = newDevice()
  const answer = await fixture.ask('Device/UpsReboot', { query: idOf(offline) })
  expect(answer).toMatchObject({ status: 409, body: { code: 'device_offline' } })
  expect(await kept(offline)).toEqual([])
  expect(await audited(offline)).toEqual(['device_offline'])
  const deactivated = await connectedDevice()
  await fixture.rows('update device set status_id = 4 where id = $1', [deactivated.device.id])
  const refused = await fixture.ask('Device/UpsReboot', { query: idOf(deactivated) })
  expect(refused).toMatchObject({ status: 409, body: { code: 'device_deactivated' } })
  expect(deactivated.commands).toEqual([])
  await fixture.connect(offline)
  expect(offline.commands).toEqual([])
})

test('the same command within 5 seconds is carried out once, and both calls are answered and audited', async () => {
  const played = await connectedDevice()
  played.answer = async () => {
    await passTime(300, 'the other two calls come in meanwhile, and nothing tells that they wait')
    return { ok: true, text: 'Once.', errors: [] }
  }
  const ask = () => fixture.ask('Device/UpsGroup1Reset', { query: idOf(played) })
  const answers = [...(await Promise.all([ask(), ask(), ask()])), await ask()]
  expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([200, 'Once.']))
  expect(played.commands).toHaveLength(1)
  expect(await audited(played)).toEqual(['done', 'done', 'done', 'done'])
  const other = await fixture.ask('Device/UpsGroup2Reset', { query: idOf(played) })
  expect(other.body).toMatchObject({ code: 'too_many_commands' })
})

test('a device takes one power action in 10 seconds', async () => {
  const played = await connectedDevice()
  await fixture.ask('Device/UpsReboot', { query: idOf(played) })
  const refused = await fixture.ask('Device/UpsShutdown', { query: idOf(played) })
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_commands' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10)
  expect(await audited(played)).toEqual(['done', 'too_many_commands'])
  await age(played, 10)
  expect((await fixture.ask('Device/UpsShutdown', { query: idOf(played) })).status).toBe(200)
  expect(played.commands).toHaveLength(2)
})

test('a user gives 60 power actions a minute, on all devices together', async () => {
  const [played, other] = [await connectedDevice(), newDevice()]
  const userId = await addUser(fixture.owner, { username: 'busy@staff.example', functions: [2] })
  const token = await openSession(fixture.owner, userId)
  await fixture.rows(
    `insert into device_command (device_id, name, args, user_id, username, state, accepted_at, expires_at)
     select $1, 'ups.reboot', '{}', $2, 'busy', 'done', now() - make_interval(secs => 50), now()
     from generate_series(1, 60)`,
    [other.device.id, userId],
  )
  const asked = { token, query: idOf(played) }
  const refused = await fixture.ask('Device/UpsReboot', asked)
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_commands' } })
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10)
  expect(played.commands).toEqual([])
  await age(other, 20)
  expect((await fixture.ask('Device/UpsReboot', asked)).status).toBe(200)
})

test('on a third device within 15 minutes a user is asked who they are, and the proof lets the command through', async () => {
  const [first, second, third] = [await connectedDevice(), await connectedDevice(), await connectedDevice()]
  const userId = await addUser(fixture.owner, { username: 'round@staff.example', functions: [2] })
  const session = await openBoundSession(fixture.owner, userId)
  await fixture.rows('update app_session set proved_at = null where user_id = $1', [userId])
  const reboot = (played: PlayedDevice) => fixture.ask('Device/UpsReboot', { ...session, query: idOf(played) })
  for (const played of [first, second]) expect((await reboot(played)).status).toBe(200)
  expect(await reboot(third)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  await fixture.rows('update app_session set proved_at = now() where user_id = $1', [userId])
  expect((await reboot(third)).status).toBe(200)
})

test('silence, nonsense and answers in the name of others are silence; a connection that is gone is offline', async () => {
  const [silent, malformed, foreign, victim, gone] = await Promise.all([1, 2, 3, 4, 5].map(connectedDevice))
  if (!silent || !malformed || !foreign || !victim || !gone) throw new Error('Five devices are needed.')
  const well = { ok: true, text: 'Invented.', errors: [] }
  silent.answer = () => undefined
  malformed.answer = () => '{"ok":"yes"}'
  foreign.answer = async () => {
    await foreign.reply(randomUUID(), well)
    return undefined
  }
  victim.answer = async (_command, id) => {
    await foreign.reply(id, well)
    return undefined
  }
  // A killed process leaves these rows behind until its lease expires.
  await gone.disconnect(fixture.owner)
  const deadId = randomUUID()
  await fixture.rows(`insert into server_process (id, lease_until) values ($1, now() + interval '15 s')`, [deadId])
  await fixture.rows('insert into device_connection (device_id, connection_id, process_id) values ($1, $2, $2)', [
    gone.device.id,
    deadId,
  ])
  const played = [silent, malformed, foreign, victim, gone]
  const answers = await Promise.all(played.map((each) => fixture.ask('Device/UpsReboot', { query: idOf(each) })))
  expect(answers.slice(0, 4).map(({ status, body }) => [status, body])).toEqual(
    Array(4).fill([504, { code: 'device_silent', message: SILENT }]),
  )
  expect(answers[4]).toMatchObject({ status: 409, body: { code: 'device_offline' } })
  expect(await Promise.all(played.map(states))).toEqual([['sent'], ['sent'], ['sent'], ['sent'], ['expired']])
  const rejected = await fixture.rows<{ reason: string }>('select reason from rejected_report where device_id = $1', [
    malformed.device.id,
  ])
  expect(rejected).toEqual([{ reason: 'bad_shape' }])
  for (const each of played) expect(await audited(each)).toEqual(['done'])

  // Much later no command is pending any more, and an answer that comes late is still recorded.
  await Promise.all(played.map((each) => age(each, 70)))
  await eventually(
    () => states(silent),
    ([state]) => state === 'unknown',
  )
  expect(await Promise.all(played.map(states))).toEqual([...Array(4).fill(['unknown']), ['expired']])
  await silent.reply(silent.commands[0]?.id ?? '', { ok: true, text: 'It took a while.', errors: [] })
  await malformed.reply(malformed.commands[0]?.id ?? '', { ok: false, text: 'Too late.', errors: [] })
  await eventually(
    () => states(malformed),
    ([state]) => state === 'expired',
  )
  expect(await kept(silent)).toMatchObject([{ state: 'done', text: 'It took a while.' }])
  expect(await states(malformed)).toEqual(['expired'])
  await fixture.connect(gone)
  expect(gone.commands).toEqual([])
}, 180_000)

test('a command that was sent and is not answered yet is not sent again beside the next one', async () => {
  const played = await connectedDevice()
  const done = { ok: true, text: 'Done.', errors: [] }
  played.answer = ({ name }) => (name === 'ups.reboot' ? undefined : done)
  const rebooting = fixture.ask('Device/UpsReboot', { query: idOf(played) })
  await eventually(
    async () => played.commands,
    ({ length }) => length === 1,
  )
  const body = { ...idOf(played), displayNumber: 1, dBrightness: 40 }
  expect((await fixture.ask('Device/ApplyDisplaySettings', { method: 'POST', body })).status).toBe(200)
  await played.reply(played.commands[0]?.id ?? '', done)
  await rebooting
  expect(played.commands.map(({ command: { name } }) => name)).toEqual(['ups.reboot', 'display.apply'])
})

test('the first answer counts, whatever comes after it', async () => {
  const played = await connectedDevice()
  await fixture.ask('Device/UpsReboot', { query: idOf(played) })
  const id = played.commands[0]?.id ?? ''
  await played.reply(id, { ok: false, text: 'No after all.', errors: [] })
  await played.reply(id, { ok: true, text: 'Twice.', errors: [] })
  expect(await kept(played)).toMatchObject([{ state: 'done', text: 'ups.reboot is done.' }])
})

test('what was never sent because nobody heard of it is sent as soon as somebody listens again', async () => {
  const played = await connectedDevice()
  await fixture.rows(`select pg_terminate_backend(pid) from pg_stat_activity
                      where datname = current_database() and query like 'listen wayside_commands%'`)
  const answer = await fixture.ask('Device/UpsReboot', { query: idOf(played) })
  expect(answer).toMatchObject({ status: 200, body: 'ups.reboot is done.' })
})

test('a link, an embedded picture, a browser that looks ahead and a HEAD command nothing', async () => {
  const played = await connectedDevice()
  const url = `${fixture.here.localAddresses.httpUrl}/api/Device/UpsReboot?deviceId=${played.device.id}`
  const headers: readonly Record<string, string>[] = [
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-mode': 'no-cors' },
    { 'sec-purpose': 'prefetch' },
    { purpose: 'prefetch' },
  ]
  for (const more of headers) expect(await statusOf(url, 'GET', more), JSON.stringify(more)).toBe(403)
  expect(await statusOf(url, 'HEAD')).toBe(405)
  expect(await statusOf(`${url}&token=${fixture.token}`, 'GET', { authorization: '' })).toBe(401)
  expect(await statusOf(url, 'GET', { authorization: '', cookie: `token=${fixture.token}` })).toBe(401)
  expect(played.commands).toEqual([])
  expect(await kept(played)).toEqual([])
})

/** The request is made by hand, because `fetch` sets `sec-fetch-mode` to "cors" itself. */
async function statusOf(url: string, method: string, more: Record<string, string> = {}): Promise<number | undefined> {
  const asked = request(url, { method, headers: { authorization: `Bearer ${fixture.token}`, ...more } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('commands are listed newest first in pages, and only of devices that the caller may see', async () => {
  const played = newDevice()
  await fixture.rows(
    `insert into device_command (device_id, name, args, username, state, accepted_at, expires_at)
     select $1, 'router.reset', jsonb_build_object('number', n), 'x', 'done', now() - make_interval(secs => n / 2 * 0.0007), now()
     from generate_series(1, 7) n`,
    [played.device.id],
  )
  const pages: string[][] = []
  let after: string | null = null
  do {
    const query = { ...idOf(played), limit: 3, ...(after === null ? {} : { next: after }) }
    const { body } = await fixture.ask('Device/GetDeviceCommandList', { query })
    const page = body as { rows: { id: string }[]; next: string | null }
    pages.push(page.rows.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
  const all = await fixture.rows<{ id: string }>(
    'select id from device_command where device_id = $1 order by accepted_at desc, id desc',
    [played.device.id],
  )
  expect(pages.flat()).toEqual(all.map(({ id }) => id))
  const bad = await fixture.ask('Device/GetDeviceCommandList', { query: { ...idOf(played), next: 'AAAA' } })
  expect(bad.status).toBe(400)
})

test('a console at another process sees each step of a command', async () => {
  const played = newDevice()
  await fixture.connect(played, fixture.there)
  const opened = await globalThis.fetch(`${fixture.here.localAddresses.httpUrl}/api/Live/Watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceIds: [], stateDeviceIds: [played.device.id] }),
  })
  const seen: string[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of opened.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        if (!event.includes('event: commands')) continue
        const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}')
        seen.push(data.commands[0]?.state ?? 'none')
        if (seen.includes('done')) return
      }
    }
  })()
  played.answer = async () => {
    await vi.waitUntil(() => seen.includes('sent'), { timeout: 30_000 })
    return { ok: true, text: 'Seen.', errors: [] }
  }
  await eventually(
    async () => seen.length,
    (count) => count > 0,
  )
  await fixture.ask('Device/UpsReboot', { query: idOf(played) }, fixture.there)
  await reading
  expect(seen).toEqual(['none', 'sent', 'done'])
}, 180_000)
