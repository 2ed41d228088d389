import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession } from '#server/testing/callers.ts'
import { auditSealJob } from '../features/insight/auditLog/auditSealJob.ts'
import { erasePersonsJob } from '../features/insight/auditLog/erasePersonsJob.ts'
import { verifyAudit } from '../features/insight/auditLog/verifyAudit.store.ts'
import { PARTS } from '../features/people/users/personalData.store.ts'

const api = await apiTest()
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
afterAll(() => owner.end())

const log = { info: () => undefined, error: () => undefined }
async function run(job: ReturnType<typeof auditSealJob>) {
  while ((await job.run(owner, new Date(), AbortSignal.timeout(60_000))) !== undefined);
}

const town = await addCustomer(api.pool, 'Town', 1)

/** Adds a person of the town with rows in many parts; their texts name them by their words alone. */
async function addPerson(name: string, functions: readonly FunctionId[]) {
  const username = `${name}-canary@a.example`
  const id = await addUser(api.pool, { username, functions, customerId: town })
  const token = await openSession(api.pool, id)
  const [who, words] = [pg.escapeLiteral(username), pg.escapeLiteral(`${name}-words`)]
  await owner.query(`
    update app_user set first_name = ${who}, last_name = ${who} where id = ${id};
    insert into device_command (device_id, name, args, user_id, username, expires_at)
      values (1, 'reset', '{}', ${id}, ${who}, now());
    insert into alert_event (device_id, alert_id, kind, at, user_id, username, text)
      values (1, 1, 'closed', now(), ${id}, ${who}, ${words});
    insert into incident_deed (incident_id, kind, user_id, username, text) values (1, 'noted', ${id}, ${who}, ${words});
    insert into incident_notice (incident_id, share_id, route_id, route_name, at, outcome, target, user_id, reason)
      values (1, 0, 1, 'Nights', now(), 'told', ${who}, ${id}, 'It matches the route.');
    insert into rota (name, time_zone, first_day, hand_over, every_days, members)
      values ('Nights', 'UTC', '2026-01-01', '08:00', 7, jsonb_build_array(jsonb_build_object('userId', ${id})));
    insert into password_mail (user_id, kind, username, message_id) values (${id}, 'reset', ${who}, ${who});
    insert into user_factor (user_id, kind, name) values (${id}, 'authenticator', ${words});
    insert into api_token (token_hash, beginning, name, user_id, maker_id, scopes, expires_at)
      values (decode(md5(${who}), 'hex'), 'way_ab', ${words}, ${id}, ${id}, '{}', now() + interval '1 day');
    insert into sign_in_mail (user_id, user_agent, address, began_at, queued_at, next_try_at)
      values (${id}, ${words}, '192.0.2.1', now(), now(), now());
    insert into saved_view (owner_id, page, name, content) values (${id}, 'devices', ${words}, '{}')`)
  return { id, username, token }
}

const anna = await addPerson('anna', [FUNCTION.admin, FUNCTION.deviceManager])
const bert = await addPerson('bert', [FUNCTION.deviceManager])

test('everybody downloads what is kept about them, with nothing of anybody else, and that leaves an entry', async () => {
  // Each of the two changes the other, or something of a third.
  const renamed = await ask(api, 'AppUser/SetAppUser', {
    token: anna.token,
    method: 'POST',
    body: { id: bert.id, lastName: 'bert-canary the second' },
  })
  expect(renamed.statusCode).toBe(200)
  for (const [person, other] of [
    [anna, bert],
    [bert, anna],
  ] as const) {
    const answer = await ask(api, 'App/DownloadPersonalData', { token: person.token })
    expect(answer.headers['content-disposition']).toContain(`personal-data-${person.id}.json`)
    const data = answer.json()
    const filled = Object.keys(PARTS).filter((part) => data[part].length > 0)
    expect(filled).toEqual(
      expect.arrayContaining([
        'account',
        'sessions',
        'factors',
        'apiTokens',
        'commands',
        'alerts',
        'incidents',
        'notices',
        'rotas',
        'accountMails',
        'views',
        'signInMails',
      ]),
    )
    expect(data.account).toMatchObject([{ username: person.username, role: expect.any(String), hasPassword: true }])
    for (const word of ['canary@', 'words']) expect(answer.body).toContain(`${person.username.split('-')[0]}-${word}`)
    expect(answer.body).not.toMatch(new RegExp(`${other.username.split('-')[0]}-(canary|words)`))
    expect(answer.body).not.toMatch(/\$argon2|token_hash|hash"|secret/i)
  }
  const about = (await ask(api, 'App/DownloadPersonalData', { token: bert.token })).json().aboutThePerson
  expect(about).toMatchObject([{ call: 'AppUser/SetAppUser', after: { lastName: 'bert-canary the second' } }])
  const { rows } = await owner.query(
    `select * from audit_log where call = 'App/DownloadPersonalData' and user_id = $1`,
    [anna.id],
  )
  expect(rows).toMatchObject([{ outcome: 'done', entity_id: anna.id }])
})

test('an administrator downloads it of whom they manage, and erases: the person is gone everywhere and the log still proves itself', async () => {
  const query = { id: bert.id }
  expect((await ask(api, 'AppUser/DownloadPersonalData', { token: anna.token, query })).json().account).toHaveLength(1)
  expect((await ask(api, 'AppUser/DownloadPersonalData', { token: bert.token, query })).statusCode).toBe(403)
  for (const call of ['App/Login', 'App/RequestPasswordReset']) {
    const body = { username: bert.username, ...(call === 'App/Login' && { password: 'a wrong one, by the owner' }) }
    expect((await ask(api, call, { method: 'POST', body })).statusCode).toBeLessThan(500)
  }
  await run(auditSealJob(log))
  const asked = await ask(api, 'AppUser/ErasePersonalData', { token: anna.token, method: 'POST', body: query })
  expect(asked.statusCode).toBe(200)
  expect((await ask(api, 'App/GetClientAuthData', { token: bert.token })).statusCode).toBe(401)
  await run(erasePersonsJob(log))
  await run(auditSealJob(log))
  expect(await verifyAudit(owner)).toMatchObject({ findings: [], unsealed: 0 })
  // The role of a test's user has the user's name.
  const named = async (word: string) => {
    const tables = await owner.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname <> 'app_role'`,
    )
    const found = await Promise.all(
      tables.rows.map(async ({ name }) => {
        const { rows } = await owner.query(`select from ${name} t where t::text ilike $1 limit 1`, [`%${word}%`])
        return rows.length > 0 ? name : undefined
      }),
    )
    return found.filter((name) => name !== undefined).sort()
  }
  expect(await named('bert-canary')).toEqual([])
  expect(await named('anna-canary')).toContain('incident_notice')
  // Texts that people wrote stay for their readers.
  expect(await named('bert-words')).toEqual(['alert_event', 'incident_deed', 'saved_view'])
  expect((await ask(api, 'App/DownloadPersonalData', { token: anna.token })).json().account).toHaveLength(1)
  // Nobody is erased twice, and a user who was not deleted is never erased.
  await owner.query('update app_user set erase_asked_at = now() where id = $1', [anna.id])
  await run(erasePersonsJob(log))
  expect((await owner.query('select username from app_user where id = $1', [anna.id])).rows).toEqual([
    { username: anna.username },
  ])
})

/** Lists what names a user and is left out of their personal data, with the reason. */
const NOT_TOLD: Readonly<Record<string, string>> = {
  calendar_address: 'a hash; the address was shown once and ends with the account',
  acknowledge_link: 'a hash that ends within a day',
  default_view: 'told with the view',
  factor_challenge: 'what a sign-in under way asks for; it ends within minutes',
  sign_in_provider: 'of the customer; who set it up stands in the audit log',
  statement_mailing: 'of the customer; who set it up stands in the audit log',
  status_page: 'who set it up stands in the audit log',
  recovery_code: 'hashes of codes that the person has',
  channel: 'told where it is the channel of one person; else it is of the customer',
  notify_route: 'of the customer; who made it stands in the audit log',
  unproved_change: 'two devices at most, of the last 15 minutes; the audit log has what was done',
}

test('each table that names a user is told to them, or it is written down why not', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped
       and (a.attname in ('user_id', 'owner_id') or exists (select from pg_constraint f where f.conrelid = c.oid
         and f.confrelid = 'app_user'::regclass and a.attnum = any(f.conkey))) order by 1`,
  )
  const statements = Object.values(PARTS).join('\n')
  const told = (name: string) => new RegExp(`\\b(from|join) ${name}\\b`).test(statements)
  expect(rows.map(({ name }) => name).filter((name) => !told(name) && !(name in NOT_TOLD))).toEqual([])
})
