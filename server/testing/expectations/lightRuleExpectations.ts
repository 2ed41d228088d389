import type { CustomerId } from '#domain/ids.ts'
import type { Expectation, Target } from './expectation.ts'

const [ADMIN, MANAGER, SEER] = [1, 2, 8] as const
const NIGHT = {
  ...{ days: [0], from: '01:00', to: '06:00', onHolidays: 'too', levelPercent: 0, belowLux: null },
}
const SET = {
  ...{ name: 'Nights', country: 'FR', area: null, rules: [NIGHT], exceptDates: [], validFrom: null, validUntil: null },
  ...{ source: '', sourceUrl: '' },
}

/** What rule sets and emergencies do is kept by `lightRules.test.ts`; here none exists. */
export function lightRuleExpectations(
  world: () => { readonly customers: Record<Target, CustomerId> },
): Readonly<Record<string, Expectation>> {
  const ofNone = (allowed: readonly (1 | 2 | 8)[], more: object = {}): Expectation => ({
    ...{ allowed, refusal: 'not_found' },
    asked: () => ({ query: { id: 2_000_000_000, ...more } }),
  })
  const changesNone = (allowed: readonly (1 | 2)[], more: object = {}): Expectation => ({
    ...{ allowed, refusal: 'not_found' },
    asked: () => ({ method: 'POST', body: { id: 2_000_000_000, ...more } }),
  })
  const readers = [ADMIN, MANAGER, SEER] as const
  return {
    'LightRule/GetRuleSetList': { allowed: readers, asked: () => ({}) },
    'LightRule/CreateRuleSet': {
      ...{ allowed: [ADMIN], about: 'customer' },
      asked: (target) => ({ method: 'POST', body: { customerId: world().customers[target], set: SET } }),
    },
    'LightRule/EndRuleSet': changesNone([ADMIN], { validUntil: '2026-12-31' }),
    'LightRule/ReplaceRuleSet': changesNone([ADMIN], { set: { ...SET, validFrom: '2040-01-01' } }),
    'LightRule/DeleteRuleSet': changesNone([ADMIN]),
    'LightRule/GetConflictList': ofNone(readers),
    'LightRule/GetProof': ofNone(readers, { month: '2026-01' }),
    'EmergencyDark/GetReach': {
      ...{ allowed: [ADMIN, MANAGER], about: 'customer' },
      asked: (target) => ({ query: { customerId: world().customers[target] } }),
    },
    'EmergencyDark/Start': {
      ...{ allowed: [ADMIN, MANAGER], refusal: 'invalid_request' },
      asked: () => ({
        method: 'POST',
        body: { country: 'AQ', reason: 'Nobody', until: '2026-01-01T00:00:00Z', word: 'DARK' },
      }),
    },
    'EmergencyDark/End': changesNone([ADMIN, MANAGER]),
    'EmergencyDark/GetList': { allowed: readers, asked: () => ({}) },
    'EmergencyDark/GetProof': ofNone(readers),
  }
}
