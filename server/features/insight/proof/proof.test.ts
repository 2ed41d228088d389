import { execFileSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { listProofKeys, type SignedProof } from '#contract/http/insight/lightProofs.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { signedText } from '#domain/proof/signedText.ts'
import { closeDays } from '#server/telemetry/closed/closeDays.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const staff = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
/** Noon two days ago; what is that old may be closed. */
const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 36 * 3_600_000
const moment = (seconds: number) => new Date(NOON + seconds * 1000).toISOString()

async function addTotem(customerId: CustomerId, displays = [1]) {
  const device = await addDevice(api.pool, { name: 'Pier', customerId })
  for (const number of displays)
    await api.pool.query(
      'insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, $2)',
      [device.id, number],
    )
  return device
}

const report = (id: DeviceId, seconds: number, number: number, backlight: number | null, panel: number | null = null) =>
  api.pool.query(
    `insert into reading_display (device_id, device_dt, inserted, number, backlight_level, panel_light)
     values ($1, $2, now(), $3, $4, $5)`,
    [id, moment(seconds), number, backlight, panel],
  )

const post = (plays: string, token = staff) =>
  ask(api, 'LightProof/GetProofs', { token, method: 'POST', body: { plays } })
async function prove(plays: string, token = staff): Promise<SignedProof> {
  const answer = await post(plays, token)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const keys = async () => listProofKeys.answer.parse((await ask(api, 'LightProof/GetKeyList', {})).json())

const customerId = await addCustomer(api.pool, 'Advertising')
const totem = await addTotem(customerId, [1, 2])
for (let seconds = 0; seconds <= 600; seconds += 60) {
  await report(totem.id, seconds, 1, 80, seconds < 300 ? 70 : null)
  await report(totem.id, seconds, 2, seconds < 180 ? 80 : 0)
}

test('plays of a list are answered in their order, by what each display did (rules/proof 1 and 2)', async () => {
  const { proof } = await prove(
    [
      'play,device,display,from,seconds',
      `measured,${totem.guid},1,${moment(120)},15`,
      `reported,${totem.id},1,${moment(560)},15`,
      `other side,${totem.id},2,${moment(170)},20`,
      `both sides,${totem.id},,${moment(170)},20`,
      `before,${totem.id},1,${moment(-600)},15`,
      `no such display,${totem.id},3,${moment(120)},15`,
      `no such device,999999999,,${moment(120)},15`,
      `to come,${totem.id},1,${new Date(Date.now() + 3_600_000).toISOString()},15`,
    ].join('\n'),
  )
  expect(
    proof.plays.map(({ play, verdict, lit, dark, unknown, certainty, reason }) => [
      play,
      verdict,
      lit,
      dark,
      unknown,
      certainty,
      reason,
    ]),
  ).toEqual([
    ['measured', 'lit', 15, 0, 0, 'high', undefined],
    ['reported', 'lit', 15, 0, 0, 'medium', undefined],
    ['other side', 'partlyLit', 10, 10, 0, 'medium', undefined],
    ['both sides', 'partlyLit', 10, 10, 0, 'medium', undefined],
    ['before', 'unknown', 0, 0, 15, 'none', undefined],
    ['no such display', 'unknown', 0, 0, 15, 'none', 'noDisplay'],
    ['no such device', 'unknown', 0, 0, 15, 'none', 'noDevice'],
    ['to come', 'unknown', 0, 0, 15, 'none', 'notOver'],
  ])
  expect(proof.devices).toEqual([{ id: totem.id, guid: totem.guid, name: 'Pier' }])
})

test('one play is asked for by itself', async () => {
  const query = { deviceId: totem.id, display: 1, from: moment(120), to: moment(135) }
  const one = (await ask(api, 'LightProof/GetProof', { token: staff, query: query as never })).json() as SignedProof
  expect(one.proof.plays).toMatchObject([{ verdict: 'lit', evidence: 'panelLight', measured: 15 }])
  const empty = await ask(api, 'LightProof/GetProof', { token: staff, query: { ...query, to: moment(120) } as never })
  expect([empty.statusCode, empty.json().message]).toEqual([400, 'to: It lasts less than a second.'])
})

test('a list with a line that cannot be read is refused, and the line is named', async () => {
  const answer = await post(`device,from,seconds\n${totem.id},yesterday,15`)
  expect([answer.statusCode, answer.json().message]).toEqual([
    400,
    'plays: Line 2: from is no moment with a time zone, such as 2026-11-01T17:00:00Z.',
  ])
})

test('a customer has answers about its own devices, in its own time (rules/proof 5)', async () => {
  const other = await addCustomer(api.pool, 'Others')
  const own = await api.signedIn({ username: 'seer@own.example', functions: [8], customerId })
  const foreign = await api.signedIn({ username: 'seer@other.example', functions: [8], customerId: other })
  const list = `device,display,from,seconds\n${totem.id},1,${moment(120)},15`
  expect((await prove(list, own)).proof.plays).toMatchObject([{ verdict: 'lit' }])
  expect((await prove(list, foreign)).proof).toMatchObject({ devices: [], plays: [{ reason: 'noDevice', lit: 0 }] })
  const query = { deviceId: totem.id, from: moment(120), to: moment(135) } as never
  expect((await ask(api, 'LightProof/GetProof', { token: foreign, query })).statusCode).toBe(404)
  // It goes to the others today: yesterday stays with whoever had it then.
  await api.pool.query('update device set customer_id = $2 where id = $1', [totem.id, other])
  expect((await prove(list, own)).proof).toMatchObject({ devices: [{ name: 'Pier' }], plays: [{ verdict: 'lit' }] })
  expect((await prove(list, foreign)).proof.plays).toMatchObject([{ reason: 'noDevice', lit: 0 }])
  await api.pool.query('update device set customer_id = $2 where id = $1', [totem.id, customerId])
})

const isSigned = async ({ proof, signature }: SignedProof) => {
  const key = (await keys()).find(({ id }) => id === signature.keyId)
  const value = Buffer.from(signature.value, 'base64')
  return verify(null, Buffer.from(signedText(proof)), createPublicKey(key?.publicKey ?? ''), value)
}

test('an answer is signed by a key that everybody can read, and another key leaves it valid (rules/proof 6 and 7)', async () => {
  const list = `device,from,seconds,play\n${totem.id},${moment(120)},15,Frühling „live“`
  const before = await prove(list)
  expect(await isSigned(before)).toBe(true)
  const [play] = before.proof.plays
  expect(
    await isSigned({
      ...before,
      proof: { ...before.proof, plays: [{ ...(play as SignedProof['proof']['plays'][number]), lit: 14 }] },
    }),
  ).toBe(false)
  const rotated = await ask(api, 'LightProof/RotateKey', { token: staff, method: 'POST', body: {} })
  expect(rotated.json()).toMatchObject({ signedUntil: null })
  const after = await prove(list)
  expect(after.signature.keyId).not.toBe(before.signature.keyId)
  expect([await isSigned(before), await isSigned(after)]).toEqual([true, true])
  expect((await keys()).map(({ signedUntil }) => signedUntil === null)).toEqual([true, false])
  const kept = await api.pool.query(`select private_key from light_proof_key order by id`)
  expect(kept.rows.map((row) => row.private_key.slice(0, 6))).toEqual(['', 'enc:1:'])
})

const GUIDE = readFileSync('docs/guide/connect/proof-of-light.md', 'utf8')
const PROGRAM = /```python\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? ''
const python = (code: string) => {
  try {
    execFileSync('python3', ['-c', code], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!python('import cryptography'))(
  'the program of the guide accepts an answer, and none that was changed',
  async () => {
    expect(PROGRAM.trim().split('\n').length).toBeLessThanOrEqual(20)
    const folder = mkdtempSync(join(tmpdir(), 'proof-'))
    const file = (name: string, content: unknown) => {
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
      return join(folder, name)
    }
    const answer = await prove(`device,from,seconds,play\n${totem.id},${moment(120)},15,"Frühling\t„live“ \u2028 é"`)
    const [program, known] = [file('check.py', PROGRAM), file('keys.json', await keys())]
    const check = (content: unknown) =>
      execFileSync('python3', [program, file('proof.json', content), known]).toString()
    expect(check(answer)).toContain('1 plays')
    expect(() => check({ ...answer, proof: { ...answer.proof, issuer: 'https://other.example' } })).toThrow()
    rmSync(folder, { recursive: true })
  },
)

test('a closed day says what its rows said (rules/proof 1)', async () => {
  const list = `device,display,from,seconds\n${[-60, 0, 125, 290, 595, 700].flatMap((at) => [1, 2].map((display) => `${totem.id},${display},${moment(at)},20`)).join('\n')}`
  const open = await prove(list)
  const before = new Date(NOON + 86_400_000).toISOString().slice(0, 10)
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  expect(await closeDays(owner, { before, isOver: () => false, rest: () => Promise.resolve() })).toBe(true)
  await owner.end()
  expect((await api.pool.query('select from reading_display')).rowCount).toBe(0)
  const { plays } = (await prove(list)).proof
  expect(plays).toEqual(open.proof.plays)
})
