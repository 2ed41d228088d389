import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { BULK_HEADER } from '#contract/call/call.ts'
import type { UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { type Asked, addUser, ask, openBoundSession, openSession, PASSWORD } from '#server/testing/callers.ts'

const api = await apiTest()

interface Session {
  readonly userId: UserId
  /** What every call of this session says of itself. */
  readonly sent: Pick<Asked, 'token' | 'headers'>
}

let users = 0
/** Somebody whose proof is older than 15 minutes, in a browser or by a plain client. */
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
  const bulk = { ...plain.sent, headers: { [BULK_HEADER]: randomUUID() }, query: { deviceId: 999_999 } }
  expect((await ask(api, 'Device/UpsReboot', bulk)).json().code).toBe('not_found')
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
  // The proof of one session answers no question of another.
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
