import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { CHANNEL_KINDS, type ChannelKind, KINDS } from '#domain/notifications/channelKinds.ts'
import { readSettingsDocuments } from '#server/gateway/commands/settingsDocument.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addApiToken, addCustomer, addUser, ask, openBoundSession } from '#server/testing/callers.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { outsideServer, type SeenRequest } from '#server/testing/outsideServer.ts'
import { CLIENT, startIdentityProvider } from '#testing/identityProvider.ts'

const api = await apiTest({ config: { outboundAllow: ['127.0.0.1'] } })
const customerId = await addCustomer(api.pool, 'Harbour')
const userId = await addUser(api.pool, { username: 'admin@a.example', functions: [1] })
const fresh = await openBoundSession(api.pool, userId)
/** Their proof is older than 15 minutes. */
const stale = await openBoundSession(api.pool, userId)
await api.pool.query(
  `update app_session set proved_at = now() - interval '15 minutes' where token_hash = sha256($1::text::bytea)`,
  [stale.token],
)
type Session = Pick<typeof fresh, 'token'>

const post = (path: string, body: object, session: Session = fresh) =>
  ask(api, path, { ...session, method: 'POST', body })
const set = (body: object, session?: Session) => post('Channel/SetChannel', body, session)
const codeOf = async (answer: ReturnType<typeof set>) => {
  const { statusCode, body } = await answer
  return [statusCode, JSON.parse(body).code, JSON.parse(body).message]
}
const GIVEN_ANEW = 'must be entered again, because it would go to another address'

const STEP_UP = [403, 'step_up_required', 'Please confirm first that it is you.']

const OLD = 'canary-of-the-old-secret'
const NEW = 'what-is-typed-anew'
const USER = 'ada@a.example'
const holdsOld = (requests: readonly SeenRequest[]) =>
  [OLD, Buffer.from(`${USER}:${OLD}`).toString('base64')].some((secret) => JSON.stringify(requests).includes(secret))

const settingsOf = (kind: ChannelKind, address: string) => {
  const known = KINDS[kind].fields
  return { address, ...(known.recipient && { recipient: 'OPS' }), ...(known.user && { user: USER }) }
}
const answering = () => outsideServer(() => ({ body: { ok: true } }))
const kinds = (form: 'address' | 'other') =>
  CHANNEL_KINDS.filter((kind) => {
    const { secret } = KINDS[kind]
    return secret !== null && (secret.form === 'address') === (form === 'address')
  })

test.each(kinds('other'))('the secret of %s goes nowhere but where it was given for', async (kind) => {
  const [first, next] = [await answering(), await answering()]
  const made = await set({ name: kind, kind, settings: settingsOf(kind, first.url), secret: OLD })
  const { id } = made.json()
  const moved = { id, name: kind, kind, settings: settingsOf(kind, next.url) }
  expect(await codeOf(set(moved))).toEqual([400, 'invalid_request', `secret: ${GIVEN_ANEW}.`])
  expect(await codeOf(set({ ...moved, secret: NEW }, stale))).toEqual(STEP_UP)
  const token = await addApiToken(api.pool, userId, { scopes: ['notifying.change'], withFreshFactor: false })
  expect(await codeOf(set({ ...moved, secret: NEW }, token))).toEqual(STEP_UP)
  for (const elsewhere of [`${first.url}/elsewhere`, first.url.replace('http:', 'https:')]) {
    const settings = settingsOf(kind, elsewhere)
    expect(await codeOf(set({ ...moved, settings }))).toEqual([
      400,
      'invalid_request',
      expect.stringContaining(GIVEN_ANEW),
    ])
  }
  // A change that leads nowhere else requires no proof.
  expect(
    (await set({ ...moved, name: 'Renamed', settings: settingsOf(kind, `${first.url}/`) }, stale)).statusCode,
  ).toBe(200)
  await post('Channel/TestChannel', { id })
  expect([holdsOld(first.requests), next.requests]).toEqual([true, []])
  expect((await set({ ...moved, secret: NEW })).statusCode).toBe(200)
  await post('Channel/TestChannel', { id })
  expect([holdsOld(next.requests), next.requests.length > 0]).toEqual([false, true])
})

test.each(kinds('address'))(
  '%s gets another address by a fresh proof, and nothing there is signed as before',
  async (kind) => {
    const [first, next] = [await answering(), await answering()]
    const { id, signingKey } = (await set({ name: kind, kind, settings: {}, secret: `${first.url}/hook?a=1` })).json()
    const moved = { id, name: kind, kind, settings: {}, secret: `${next.url}/hook?a=1` }
    for (const elsewhere of [moved.secret, `${first.url}/other`]) {
      expect(await codeOf(set({ ...moved, secret: elsewhere }, stale))).toEqual(STEP_UP)
    }
    expect((await set({ ...moved, secret: `${first.url}/hook?a=2` }, stale)).json().signingKey).toBeNull()
    await post('Channel/TestChannel', { id })
    const answer = (await set(moved)).json()
    await post('Channel/TestChannel', { id })
    expect([first.requests.length, next.requests.length]).toEqual([1, 1])
    const [before, after] = [first.requests[0] as SeenRequest, next.requests[0] as SeenRequest]
    if (kind !== 'webhook') return expect([signingKey, answer.signingKey]).toEqual([null, null])
    const checks = (key: string, { text, headers }: SeenRequest) => new Webhook(key).verify(text, headers as never)
    expect(checks(signingKey, before)).toMatchObject({ type: 'test' })
    expect(checks(answer.signingKey, after)).toMatchObject({ type: 'test' })
    expect(() => checks(signingKey, after)).toThrow('No matching signature')
  },
)

test('the client secret of an identity provider goes to no other issuer', async () => {
  const [identity, next] = [await startIdentityProvider(), await answering()]
  const provider = {
    name: 'City ID',
    issuer: identity.issuer,
    ...CLIENT,
    domains: ['city.example'],
    roleClaim: 'groups',
    roleRules: [],
  }
  const id = (await post('SignInProvider/SetProvider', provider)).json()
  const { clientSecret, ...rest } = provider
  const moved = { ...rest, id, issuer: next.url }
  const setProvider = (body: object, session?: Session) => codeOf(post('SignInProvider/SetProvider', body, session))
  expect(await setProvider(moved)).toEqual([400, 'invalid_request', `clientSecret: ${GIVEN_ANEW}.`])
  expect(await setProvider({ ...moved, clientSecret }, stale)).toEqual(STEP_UP)
  expect(await setProvider({ ...rest, id, issuer: `${identity.issuer}/other` })).toEqual([
    400,
    'invalid_request',
    expect.stringContaining(GIVEN_ANEW),
  ])
  expect(next.requests).toEqual([])
  expect((await post('SignInProvider/SetProvider', { ...rest, id, name: 'Renamed' })).statusCode).toBe(200)
  await identity.stop()
})

test('a secret that is given while an issuer takes its time to answer does not go to that issuer', async () => {
  const identity = await startIdentityProvider()
  const waiting: ServerResponse[] = []
  const slow = await outsideServer((_, response) => void waiting.push(response))
  const provider = { name: 'Slow ID', ...CLIENT, domains: [], roleClaim: 'groups', roleRules: [] }
  const id = (await post('SignInProvider/SetProvider', { ...provider, issuer: identity.issuer })).json()
  await api.pool.query('update sign_in_provider set issuer = $2 where id = $1', [id, slow.url])
  const { clientSecret, ...rest } = provider
  const held = post('SignInProvider/SetProvider', { ...rest, id, issuer: slow.url, clientId: 'another' })
  await expect.poll(() => waiting.length).toBe(1)
  const mended = await post('SignInProvider/SetProvider', { ...rest, id, issuer: identity.issuer, clientSecret })
  const { url: issuer } = slow
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    jwks_uri: `${issuer}/k`,
  }
  waiting[0]?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
  expect([mended.statusCode, await codeOf(held)]).toEqual([
    200,
    [400, 'invalid_request', `clientSecret: ${GIVEN_ANEW}.`],
  ])
  await identity.stop()
})

test('the password of a driver goes to no other address of a device', async () => {
  const body = { customerId, modelId: 1, name: 'Totem' }
  const deviceId: DeviceId = (await post('Device/CreateDevice', body)).json().id
  const options = { host: '10.0.0.5', username: 'wayside' }
  const choose = (more: object, session?: Session) =>
    post('Device/SetDeviceDriver', { deviceId, part: 'ups', driver: 'nut', options: { ...options, ...more } }, session)
  const sent = async () =>
    (await readSettingsDocuments(api.pool, [deviceId], testCipher)).get(deviceId)?.drivers?.[0]?.options
  await choose({ password: OLD })
  for (const elsewhere of [{ host: '10.0.0.66' }, { port: 8080 }]) {
    expect(await codeOf(choose(elsewhere))).toEqual([400, 'invalid_driver', `password ${GIVEN_ANEW}`])
    expect(await codeOf(choose({ ...elsewhere, password: NEW }, stale))).toEqual(STEP_UP)
    expect(await sent()).toEqual({ ...options, password: OLD })
  }
  expect((await choose({ username: 'other' }, stale)).statusCode).toBe(200)
  await choose({ host: '10.0.0.66', password: NEW })
  expect(await sent()).toEqual({ ...options, host: '10.0.0.66', password: NEW })
})
