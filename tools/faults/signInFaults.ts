import type { Fault } from './fault.ts'

const BOUND = ['server/features/signIn/boundSession.test.ts'] as const
const BY_PROVIDER = ['server/features/singleSignOn/singleSignOn.test.ts'] as const

export const SIGN_IN_FAULTS: readonly Fault[] = [
  {
    name: 'The token of a bound session is enough',
    file: 'server/features/signIn/callerFinder.ts',
    replace: 'user.bindingHash !== null && !hasHalf(user.bindingHash)',
    by: 'user.bindingHash !== null && hasHalf === undefined',
    foundBy: BOUND,
  },
  {
    name: 'A session of before that is not bound goes on under a role that forbids it',
    file: 'server/features/signIn/signIn.store.ts',
    replace: '(app_session.binding_hash is not null or not app_role.requires_bound_session)',
    by: '(app_session.binding_hash is not null or app_role.id > 0)',
    foundBy: BOUND,
  },
  {
    name: 'What comes back to another attempt counts',
    file: 'server/features/singleSignOn/providerClient.ts',
    replace: 'expectedState: state',
    by: "expectedState: new URLSearchParams(parameters).get('state') ?? ''",
    foundBy: BY_PROVIDER,
  },
  {
    name: 'An identity provider takes over whom another has brought',
    file: 'server/features/singleSignOn/providerSignIn.service.ts',
    replace: 'namesake.providerId === null && namesake.customerId',
    by: 'namesake.customerId',
    foundBy: BY_PROVIDER,
  },
  {
    name: 'Whoever has no role any more stays signed in',
    file: 'server/features/singleSignOn/providerSignIn.service.ts',
    replace: 'if (known) await endSessions(transaction, { userId: known.id })',
    by: '',
    foundBy: BY_PROVIDER,
  },
]
