import type { Fault } from './fault.ts'

const MATRIX = 'server/http/callMatrix.test.ts'

/** These faults concern calls and who may make them: people, programs and assistants. */
export const CONTRACT_FAULTS: readonly Fault[] = [
  {
    name: 'Whoever is signed in removes entries of the maintenance log',
    file: 'contract/http/devices/maintenance.ts',
    replace: "summary: 'Remove a maintenance entry.',\n  permission: 'deviceManager',",
    by: "summary: 'Remove a maintenance entry.',\n  permission: 'signedIn',",
    foundBy: [{ file: MATRIX, title: 'DeviceMaintenance/DelDeviceMaintenance' }],
  },
  {
    name: 'Device managers who are no lab users export raw rows',
    file: 'contract/http/devices/records.ts',
    replace:
      "summary: 'All stored reports of one kind in the period, newest first, row by row.',\n  permission: 'rawExport',",
    by: "summary: 'All stored reports of one kind in the period, newest first, row by row.',\n  permission: 'deviceManager',",
    foundBy: [{ file: MATRIX, title: 'Device/GetDeviceEvTypeRawDataV2Full' }],
  },
  {
    name: 'Deleting a device leaves no audit row',
    file: 'contract/http/devices/details.ts',
    replace: "  changes: { action: 'Delete', entity: 'Device' },\n",
    by: '',
    foundBy: ['contract/http/changes.test.ts'],
  },
  {
    name: 'A device reports for a component that its kind cannot have',
    file: 'contract/mqtt/topics.ts',
    replace: 'number < 1 || number > type.prefixes.length',
    by: 'number < 1',
    foundBy: ['contract/mqtt/topics.test.ts'],
  },
  {
    name: 'An API token makes calls that it was not made for',
    file: 'server/http/perform/admitCall.ts',
    replace: 'if (caller?.apiToken && !isInScopes(call, caller.apiToken.scopes))',
    by: 'if (caller?.apiToken && caller.apiToken.scopes.length === 0)',
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
    name: 'A token works in the name of somebody who has a password by now',
    file: 'server/features/people/signIn/apiTokenFinder.store.ts',
    replace: "eb('app_user.password_hash', 'is', null)",
    by: "eb('app_user.id', 'is not', null)",
    foundBy: ['server/features/people/apiTokens/apiTokens.test.ts'],
  },
  {
    name: 'What an assistant confirms is something else than it was told of',
    file: 'server/http/mcp/confirmations.store.ts',
    replace: 'and token_id = ${asked.tokenId} and asked = ${askedHash(asked)}',
    by: 'and token_id = ${asked.tokenId}',
    foundBy: ['server/features/operation/assistants/assistants.test.ts'],
  },
]
