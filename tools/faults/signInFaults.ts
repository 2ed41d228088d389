import type { Fault } from './fault.ts'

const BOUND = ['server/features/people/signIn/boundSession.test.ts'] as const
const BY_PROVIDER = ['server/features/people/singleSignOn/singleSignOn.test.ts'] as const

export const SIGN_IN_FAULTS: readonly Fault[] = [
  {
    name: 'The token of a bound session is enough',
    file: 'server/features/people/signIn/callerFinder.ts',
    replace: 'user.bindingHash !== null && !hasSessionCookie(user.bindingHash)',
    by: 'user.bindingHash !== null && hasSessionCookie === undefined',
    foundBy: BOUND,
  },
  {
    name: 'A session of before that is not bound goes on under a role that forbids it',
    file: 'server/features/people/signIn/signIn.store.ts',
    replace: '(app_session.binding_hash is not null or not app_role.requires_bound_session)',
    by: '(app_session.binding_hash is not null or app_role.id > 0)',
    foundBy: BOUND,
  },
  {
    name: 'What comes back to another attempt counts',
    file: 'server/features/people/singleSignOn/ProviderClient.ts',
    replace: 'expectedState: state',
    by: "expectedState: new URLSearchParams(parameters).get('state') ?? ''",
    foundBy: BY_PROVIDER,
  },
  {
    name: 'An attempt at one provider is ended on the address of another',
    file: 'server/features/people/singleSignOn/providerSignIn.ts',
    replace: 'provider?.isOn && provider.redirectId === redirectId',
    by: 'provider?.isOn',
    foundBy: BY_PROVIDER,
  },
  {
    name: 'Each known browser has wrong codes of its own, without end',
    file: 'server/features/people/factors/factors.store.ts',
    replace: 'CODES_OF_USER: Allowance = { atOnce: 20,',
    by: 'CODES_OF_USER: Allowance = { atOnce: 2000,',
    foundBy: ['server/features/people/factors/factors.test.ts'],
  },
  {
    name: 'A third device is changed without a fresh proof',
    file: 'server/http/limits/unprovedChanges.store.ts',
    replace: 'const MOST_DEVICES = 2',
    by: 'const MOST_DEVICES = 3',
    foundBy: ['server/http/stepUp.test.ts'],
  },
  {
    name: 'An identity provider takes over whom another has brought',
    file: 'server/features/people/singleSignOn/providerSignIn.ts',
    replace: 'namesake.providerId === null && namesake.customerId',
    by: 'namesake.customerId',
    foundBy: BY_PROVIDER,
  },
  {
    name: 'Whoever has no role any more stays signed in',
    file: 'server/features/people/singleSignOn/providerSignIn.ts',
    replace: 'if (known) await endSessions(transaction, { userId: known.id })',
    by: '',
    foundBy: BY_PROVIDER,
  },
  {
    name: 'The sign-in page of the demo offers whoever there is',
    file: 'server/features/people/signIn/signIn.store.ts',
    replace: "    .where(sql`lower(app_user.username)`, 'in', usernames)\n",
    by: '',
    foundBy: ['server/features/people/signIn/signIn.test.ts'],
  },
]
