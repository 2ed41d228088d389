import pg from 'pg'
import { expect, test } from 'vitest'
import type { UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import {
  addApiToken,
  addCustomer,
  addDevice,
  addUser,
  ask,
  openBoundSession,
  openSession,
  PASSWORD,
  type Request,
} from '#server/testing/callers.ts'

const api = await apiTest()
const another = await apiTest({ on: api })
const customerId = await addCustomer(api.pool, 'Harbour')
const newDevices = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => addDevice(api.pool, { name: `Pier ${n}`, customerId })))

interface Session {
  readonly userId: UserId
  readonly sent: Pick<Request, 'token' | 'headers'>
}

let users = 0
async function staleSession(client: 'browser' | 'plain client'): Promise<Session> {
  const username = `stale${++users}@harbour.example`
  const userId = await addUser(api.pool, { username, functions: [1, 2, 3, 5, 7, 8], isLab: true })
  const open = client === 'browser' ? openBoundSession : openPlainSession
  const sent = await open(api.pool, userId)
  await api.pool.query(`update app_session set proved_at = now() - interval '15 minutes' where user_id = $1`, [userId])
  return { userId, sent }
}
const openPlainSession = async (pool: typeof api.pool, userId: UserId) => ({ token: await openSession(pool, userId) })
const newRole = ({ sent }: Session, name: string) =>
  ask(api, 'AppRole/SetAppRole', { ...sent, method: 'POST', body: { id: 0, name, roleFunctions: [] } })
const auditOf = async ({ userId }: Session, call: string) =>
  (
    await api.pool.query(`select outcome from audit_log where user_id = $1 and call = $2 order by id`, [userId, call])
  ).rows.map(({ outcome }) => outcome)
const stepUp = ({ sent }: Session) => ask(api, 'App/StepUp', { ...sent, method: 'POST', body: { password: PASSWORD } })
const setStatus = ({ sent }: Session, { id }: { readonly id: number }, at = api) =>
  ask(at, 'Device/SetDeviceStatus', { ...sent, query: { id, statusId: 3 } })
const statusesOf = async (answers: readonly Promise<{ readonly statusCode: number }>[]) =>
  (await Promise.all(answers)).map(({ statusCode }) => statusCode)
async function passTenMinutes() {
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await owner.query(`update held_refusal set refused_at = refused_at - interval '10 minutes'`)
  await owner.end()
  await api.runJob('unanswered step-ups')
}

test('a plain client makes every described call for as long as its session lives', async () => {
  const [browser, plain] = [await staleSession('browser'), await staleSession('plain client')]
  expect((await newRole(browser, 'By a browser')).json()).toMatchObject({ code: 'step_up_required' })
  expect((await newRole(plain, 'By a script')).statusCode).toBe(200)
  const devices = await newDevices(4)
  expect(await statusesOf(devices.map((device) => setStatus(plain, device)))).toEqual([200, 200, 200, 200])
  for (const session of [browser, plain]) {
    const query = { id: devices[0]?.id ?? 0 }
    const deleted = await ask(api, 'Device/DelDevice', { ...session.sent, query })
    expect(deleted.json()).toEqual(session === plain ? true : expect.objectContaining({ code: 'step_up_required' }))
  }
})

test('from the third device on that somebody changes within 15 minutes they prove who they are, however the calls are made', async () => {
  const session = await staleSession('browser')
  const elsewhere = { ...session, sent: await openBoundSession(api.pool, session.userId) }
  await api.pool.query(`update app_session set proved_at = now() - interval '15 minutes' where user_id = $1`, [
    session.userId,
  ])
  const [one, two, three, four] = await newDevices(4)
  if (!one || !two || !three || !four) throw new Error('Four devices are needed.')
  const body = { id: two.id, add: ['pier'] }
  const tagged = await ask(api, 'Device/ChangeDeviceTags', { ...session.sent, method: 'POST', body })
  expect([(await setStatus(session, one)).statusCode, tagged.statusCode]).toEqual([200, 200])
  // Changing the same two devices again reaches no further.
  expect((await setStatus(session, two)).statusCode).toBe(200)
  // Another session of the same user does not start a new count.
  for (const by of [session, elsewhere])
    expect((await setStatus(by, three)).json()).toMatchObject({ code: 'step_up_required' })
  const settings = { deviceId: three.id, displayNumber: 1, dBrightness: 40 }
  const applied = await ask(api, 'Device/ApplyDisplaySettings', { ...session.sent, method: 'POST', body: settings })
  expect(applied.json()).toMatchObject({ code: 'step_up_required' })
  expect((await ask(api, 'Device/UpsReboot', { ...session.sent, query: { deviceId: three.id } })).statusCode).toBe(403)
  expect((await stepUp(session)).statusCode).toBe(200)
  expect(await statusesOf([three, four].map((device) => setStatus(session, device)))).toEqual([200, 200])
})

test('what was changed fifteen minutes ago counts no more', async () => {
  const session = await staleSession('browser')
  const devices = await newDevices(5)
  const change = async (...places: number[]) => {
    const statuses: number[] = []
    for (const device of places.map((place) => devices[place])) {
      if (device) statuses.push((await setStatus(session, device)).statusCode)
    }
    return statuses
  }
  const pass = (minutes: number) =>
    api.pool.query(
      `update unproved_change set changed_at = array(select at - make_interval(mins => $2) from unnest(changed_at) at)
       where user_id = $1`,
      [session.userId, minutes],
    )
  expect(await change(0, 1, 2)).toEqual([200, 200, 403])
  await pass(14)
  // The second device is changed again, so it counts from then on.
  expect(await change(1, 2)).toEqual([200, 403])
  await pass(1)
  expect(await change(2, 3)).toEqual([200, 403])
  await pass(15)
  expect(await change(3, 4, 0)).toEqual([200, 200, 403])
})

test('of changes at the same moment at several processes no more than two devices pass', async () => {
  const session = await staleSession('browser')
  const devices = await newDevices(25)
  const statuses = await statusesOf(devices.map((device, n) => setStatus(session, device, n % 2 === 0 ? api : another)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 403)).toHaveLength(23)
})

test('an API token changes a third device only where it was made for what asks for a second factor', async () => {
  const { userId } = await staleSession('browser')
  const devices = await newDevices(4)
  for (const [withFreshFactor, passed] of [
    [false, 2],
    [true, 4],
  ] as const) {
    const { token } = await addApiToken(api.pool, userId, { withFreshFactor })
    const statuses = await statusesOf(devices.map((device) => setStatus({ userId, sent: { token } }, device)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(passed)
  }
})

test('a plain client is asked for a proof by calls that are not described', async () => {
  const { sent } = await staleSession('plain client')
  const asked = await ask(api, 'App/EndOtherSessions', { ...sent, method: 'POST', body: {} })
  expect([asked.statusCode, asked.json().code]).toEqual([403, 'step_up_required'])
})

test('who changes their password proves by the old one, and by nothing else', async () => {
  const { sent } = await staleSession('browser')
  const body = { oldPass: PASSWORD, newPass: 'another long password of mine' }
  expect((await ask(api, 'AppUser/ChangeUserPass', { ...sent, method: 'POST', body })).statusCode).toBe(200)
})

test('a proof that was asked for and given leaves no refusal in the audit log', async () => {
  const session = await staleSession('browser')
  expect((await newRole(session, 'Proved')).statusCode).toBe(403)
  expect((await stepUp(session)).statusCode).toBe(200)
  expect((await newRole(session, 'Proved')).statusCode).toBe(200)
  await passTenMinutes()
  expect(await auditOf(session, 'AppRole/SetAppRole')).toEqual(['done'])
})

test('a proof that was asked for and not given is one refusal, at the time when it was asked for', async () => {
  const [session, another] = [await staleSession('browser'), await staleSession('browser')]
  await newRole(session, 'Not proved')
  // The proof of one session does not answer the request of another.
  await stepUp(another)
  expect(await auditOf(session, 'AppRole/SetAppRole')).toEqual([])
  await passTenMinutes()
  await passTenMinutes()
  expect(await auditOf(session, 'AppRole/SetAppRole')).toEqual(['step_up_required'])
  const { rows } = await api.pool.query(
    `select now() - inserted_at > interval '9 minutes' as "isThen", username, address from audit_log
     where user_id = $1 and outcome = 'step_up_required'`,
    [session.userId],
  )
  expect(rows).toEqual([{ isThen: true, username: expect.stringContaining('stale'), address: '127.0.0.1' }])
})

test('an API token that cannot prove anything is refused in the audit log at once', async () => {
  const { sent, userId } = await staleSession('browser')
  await ask(api, 'App/StepUp', { ...sent, method: 'POST', body: { password: PASSWORD } })
  const made = await ask(api, 'ApiToken/CreateToken', {
    ...sent,
    method: 'POST',
    body: { name: 'script', scopes: ['devices.keys'], expiresInDays: 1 },
  })
  expect(made.json()).toMatchObject({ token: expect.any(String) })
  const byToken = { userId, sent: { token: made.json().token } }
  const refused = await ask(api, 'Device/DownloadConfiguration', { ...byToken.sent, query: { id: 999_999 } })
  expect(refused.json().code).toBe('step_up_required')
  expect(await auditOf(byToken, 'Device/DownloadConfiguration')).toEqual(['step_up_required'])
})
