import type { Fault } from '../../fault.ts'

const BY_PROVIDER = ['server/features/people/singleSignOn/singleSignOn.test.ts'] as const

export const PEOPLE_FAULTS: readonly Fault[] = [
  {
    name: 'A new password by mail leaves the sessions of the old one open',
    file: 'server/features/people/account/passwordLinks.ts',
    replace: "    await endSessionsOf(transaction, userId, 'all', parts.idleHours)\n",
    by: '',
    foundBy: ['server/features/people/account/account.test.ts'],
  },
  {
    name: 'Each known browser has wrong codes of its own, without end',
    file: 'server/features/people/factors/factors.store.ts',
    replace: 'CODES_OF_USER: Allowance = { atOnce: 20,',
    by: 'CODES_OF_USER: Allowance = { atOnce: 2000,',
    foundBy: ['server/features/people/factors/factors.test.ts'],
  },
  {
    name: 'A token works in the name of somebody who has a password by now',
    file: 'server/features/people/signIn/apiTokenFinder.store.ts',
    replace: "eb('app_user.password_hash', 'is', null)",
    by: "eb('app_user.id', 'is not', null)",
    foundBy: ['server/features/people/apiTokens/apiTokens.test.ts'],
  },
  {
    name: 'A machine may more than whoever made its token',
    file: 'server/features/people/signIn/callerFinder.ts',
    replace: 'functions: maker ? sharedFunctions(user.functions, maker.functions) : user.functions,',
    by: 'functions: user.functions,',
    foundBy: ['server/features/people/apiTokens/apiTokens.test.ts'],
  },
  {
    name: 'The token of a bound session is enough',
    file: 'server/features/people/signIn/callerFinder.ts',
    replace: 'user.bindingHash !== null && !hasSessionCookie(user.bindingHash)',
    by: 'user.bindingHash !== null && hasSessionCookie === undefined',
    foundBy: ['server/features/people/signIn/boundSession.test.ts'],
  },
  {
    name: 'A session outlives its twelve idle hours',
    file: 'server/features/people/signIn/signIn.store.ts',
    replace: "where('app_session.last_used_at', '>',",
    by: "where('app_session.last_used_at', '<>',",
    foundBy: [
      'server/features/people/signIn/signIn.test.ts',
      { file: 'server/http/callMatrix.test.ts', title: 'App/GetClientAuthData' },
    ],
  },
  {
    name: 'A session of before that is not bound goes on under a role that forbids it',
    file: 'server/features/people/signIn/signIn.store.ts',
    replace: '(app_session.binding_hash is not null or not app_role.requires_bound_session)',
    by: '(app_session.binding_hash is not null or app_role.id > 0)',
    foundBy: ['server/features/people/signIn/boundSession.test.ts'],
  },
  {
    name: 'The sign-in page of the demo offers whoever there is',
    file: 'server/features/people/signIn/signIn.store.ts',
    replace: "    .where(sql`lower(app_user.username)`, 'in', usernames)\n",
    by: '',
    foundBy: ['server/features/people/signIn/signIn.test.ts'],
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
    name: 'What is told to a person names others whom they changed',
    file: 'server/features/people/users/personalData.store.ts',
    replace: 'case when ${isOfPerson} and not ${isAboutThem} then null else a.entity_name end',
    by: 'a.entity_name',
    foundBy: ['server/app/personalData.test.ts'],
  },
]
