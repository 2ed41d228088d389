import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import type { Expectation, Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly customers: Record<Target, CustomerId>
}

const [ADMIN, MAKER, NEVER] = [1, 3, 2_000_000_000] as const
const CODE = 'AAAA2222'

/** Expectations about devices that arrive: anybody asks to be claimed, and those who add devices claim them. */
export function claimExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  const post = (body: object) => ({ method: 'POST', body }) as const
  const newKey = () => randomBytes(32).toString('base64url')
  let keyId = 0
  const showCode = async () => {
    await world().api.pool.query('delete from device_claim where code = $1', [CODE])
    await world().api.pool.query(
      `insert into device_claim (key_hash, code, code_until, facts, hardware, address)
       values ($1, $2, now() + interval '10 minutes', $3, '{}', '127.0.0.1')`,
      [randomBytes(32), CODE, { model: '', hostName: '', clientVersion: '', serialNumbers: [], macAddresses: [] }],
    )
  }
  const addKey = async () => {
    const { rows } = await world().api.pool.query(
      `insert into claim_key (name, key_hash, beginning, customer_id, most_devices, expires_at)
       values ('Image', $1, 'wck_abcd', $2, 9, now() + interval '1 day') returning id`,
      [randomBytes(32), world().customers.own],
    )
    keyId = rows[0].id
  }
  const rowsOfWaiting = { allowed: [ADMIN], refusal: 'not_found' } as const
  return {
    'Claim/Begin': { allowed: 'everybody', asked: () => post({ key: newKey(), facts: {} }) },
    'Claim/GetState': { allowed: 'everybody', asked: () => post({ key: newKey() }) },
    'Claim/FindDevice': { allowed: [ADMIN, MAKER], asked: () => post({ code: CODE }), prepare: showCode },
    'Claim/ClaimDevice': {
      allowed: [ADMIN, MAKER],
      about: 'customer',
      asked: (target) =>
        post({ code: CODE, customerId: world().customers[target], modelId: 22, name: `Claimed ${newKey()}` }),
      prepare: showCode,
    },
    'Claim/GiveRecord': {
      allowed: { staffWith: [ADMIN] },
      asked: () => post({ code: CODE, deviceId: NEVER }),
      refusal: 'not_found',
      prepare: showCode,
    },
    'Device/GetImportPreview': { allowed: [ADMIN], asked: () => post({ csv: 'name;model\nPier;22' }) },
    'Device/ImportDevices': { allowed: [ADMIN], asked: () => post({ csv: 'nonsense' }), refusal: 'import_refused' },
    'Device/GetDeviceFile': {
      allowed: [ADMIN],
      about: 'customer',
      asked: (target) => ({ query: { customerId: world().customers[target] } }),
    },
    'Claim/GetWaitingList': { allowed: [ADMIN], asked: () => ({}) },
    'Claim/AcceptDevices': {
      ...rowsOfWaiting,
      asked: () => post({ ids: [NEVER], customerId: world().customers.own, modelId: 22, namePattern: 'Totem {n}' }),
    },
    'Claim/AcceptAsDevices': {
      ...rowsOfWaiting,
      allowed: { staffWith: [ADMIN] },
      asked: () => post({ records: [{ id: NEVER, deviceId: NEVER }] }),
    },
    'Claim/RefuseDevices': { ...rowsOfWaiting, asked: () => post({ ids: [NEVER] }) },
    'Claim/GetKeyList': { allowed: [ADMIN], asked: () => ({}) },
    'Claim/CreateKey': { allowed: [ADMIN], asked: () => post({ name: 'Image', mostDevices: 1, expiresInDays: 1 }) },
    'Claim/EndKey': { allowed: [ADMIN], asked: () => post({ id: keyId }), prepare: addKey },
  }
}
