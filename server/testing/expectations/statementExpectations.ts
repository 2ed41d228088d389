import type { CustomerId } from '#domain/ids.ts'
import type { Expectation, Target } from './expectation.ts'

const [ADMIN, MANAGER, SEER, SENDER] = [1, 2, 8, 9] as const
/** Nothing was connected then, so there is nothing to issue. */
const MONTH = '2026-01'

/** Statements that were issued are kept apart by `statement.test.ts`; here none exists. */
export function statementExpectations(
  world: () => { readonly customers: Record<Target, CustomerId> },
): Readonly<Record<string, Expectation>> {
  const ofCustomer = (more: object): Expectation => ({
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world().customers[target], ...more } }),
  })
  const ofIssued: Expectation = {
    allowed: [ADMIN, MANAGER, SEER],
    asked: () => ({ query: { id: 2_000_000_000 } }),
    refusal: 'not_found',
  }
  const byStaff = (body: object): Omit<Expectation, 'refusal'> => ({
    allowed: { staffWith: [ADMIN] },
    asked: () => ({ method: 'POST', body: { customerId: world().customers.own, ...body } }),
  })
  const ofStaff = (body: object): Omit<Expectation, 'refusal'> => ({
    allowed: { staffWith: [ADMIN] },
    asked: () => ({ method: 'POST', body }),
  })
  return {
    'LightStatement/GetMailing': {
      allowed: { staffWith: [ADMIN, SENDER] },
      asked: () => ({ query: { customerId: world().customers.own } }),
    },
    'LightStatement/SetMailing': {
      allowed: { staffWith: [ADMIN, SENDER] },
      asked: () => ({ method: 'POST', body: { customerId: world().customers.own, day: null, recipients: [] } }),
    },
    'LightStatement/GetStatement': ofCustomer({ month: MONTH }),
    'LightStatement/GetIssuedList': ofCustomer({}),
    'LightStatement/GetIssued': ofIssued,
    'LightStatement/GetDocument': ofIssued,
    'LightStatement/GetDraftDocument': ofCustomer({ month: MONTH }),
    'LightStatement/Issue': { ...byStaff({ month: MONTH }), refusal: 'invalid_request' },
    'LightStatement/SetTerms': byStaff({ terms: null }),
    'Energy/GetEnergy': ofCustomer({ period: '2026' }),
    'Energy/SetTariffs': byStaff({ tariffs: [] }),
    'Energy/SetPanelPower': ofStaff({ modelId: 17, power: null }),
    'Energy/SetGridFactors': ofStaff({ countryId: 1, factors: [] }),
    'PanelLife/GetPanelLife': ofCustomer({}),
    'PanelLife/SetLifeModel': ofStaff({ modelId: 17, life: null }),
  }
}
