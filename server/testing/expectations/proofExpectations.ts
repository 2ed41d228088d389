import type { DeviceId } from '#domain/ids.ts'
import { type Expectation, PERIOD, type Target } from './expectation.ts'

const [ADMIN, MANAGER, SEER] = [1, 2, 8] as const
/** Devices have moved just now, so a play that is to come is their present customer's. */
const [FROM, TO] = [new Date(Date.parse(PERIOD.dateTo) - 60_000).toISOString(), PERIOD.dateTo]

/** What proofs say is kept by `proof.test.ts`; here it is who may ask. */
export function proofExpectations(
  world: () => { readonly devices: Record<Target, { readonly id: DeviceId }> },
): Readonly<Record<string, Expectation>> {
  return {
    'LightProof/GetProof': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id, from: FROM, to: TO } }),
    },
    'LightProof/GetProofs': {
      allowed: [ADMIN, MANAGER, SEER],
      asked: () => ({ method: 'POST', body: { plays: `device,from,to\n${world().devices.own.id},${FROM},${TO}` } }),
    },
    'LightProof/GetKeyList': { allowed: 'everybody', asked: () => ({ query: {} }) },
    'LightProof/RotateKey': { allowed: { staffWith: [ADMIN] }, asked: () => ({ method: 'POST', body: {} }) },
  }
}
