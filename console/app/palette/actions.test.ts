import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NAVIGATION } from '#console/app/navigation/navigation.ts'
import { ACTIONS, type ActionId, mayDo } from '#console/lib/commands/actions.ts'
import { ADDRESSES } from '#console/router/addresses.ts'
import { CALLS } from '#contract/http/table.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'

/** These calls change something without an entry in the palette; each has its reason. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  'App/Login': 'nobody is signed in',
  'App/LoginSecondFactor': 'nobody is signed in',
  'App/LoginNewFactor': 'nobody is signed in',
  'App/StepUp': 'asked for by the call that needs it',
  'App/CompleteProviderSignIn': 'nobody is signed in',
  'App/RequestPasswordReset': 'nobody is signed in',
  'App/SetPasswordByToken': 'nobody is signed in',
  'AppRole/DelAppUser': 'the same as AppUser/DelAppUser',
  'AppRole/DelAppRole': 'one row of a list, which the palette cannot mean',
  'Alert/DelAlertCondition': 'one row of a list',
  'DeviceMaintenance/DelDeviceMaintenance': 'one row of a list',
  'MaintenanceWindow/DelMaintenanceWindow': 'one row of a list',
  'Release/DelRelease': 'one row of a list',
  'Channel/DelChannel': 'one row of a list',
  'Channel/TestChannel': 'one row of a list',
  'Channel/RotateSigningKey': 'one row of a list',
  'Channel/SetInbound': 'one row of a list',
  'Channel/ReplayDelivery': 'one row of what a channel told',
  'NotifyRoute/DelNotifyRoute': 'one row of a list',
  'Rota/DelRota': 'one row of a list',
  'SignInProvider/DeleteProvider': 'one row of a list',
  'Rota/SetRotaOverride': 'one row of a list',
  'Incident/AcknowledgeByLink': 'nobody is signed in',
  'StatusPage/SetStatusPage': 'one row of a list',
  'StatusPage/RotateStatusAddress': 'one row of a list',
  'Country/SetHolidayList': 'has no screen',
  'Alert/AnswerDefaultConditions': 'asked once after an upgrade',
  'ClientUpdate/LeaveOutDevice': 'one row of a list',
  'LightProof/RotateKey': 'about what its page shows',
  'LightStatement/Issue': 'about what its page shows',
  'LightStatement/SetMailing': 'about the customer that its page shows',
  'Claim/Begin': 'devices make it',
  'Claim/AcceptAsDevices': 'rows of a list',
  'Claim/AcceptDevices': 'rows of a list',
  'Claim/GiveRecord': 'part of claiming, offered to staff only',
  'Claim/RefuseDevices': 'rows of a list',
  'Claim/CreateKey': 'a dialog of its page',
  'Claim/EndKey': 'one row of a list',
  'EmergencyDark/End': 'about what its page shows',
  'LightRule/CreateRuleSet': 'a dialog of its page',
  'LightRule/EndRuleSet': 'one row of a list',
  'LightRule/ReplaceRuleSet': 'one row of a list',
  'LightRule/DeleteRuleSet': 'one row of a list',
  'Visit/SetVisit': 'about what its page shows',
  'Visit/CancelVisit': 'about what its page shows',
  'Visit/RecordVisit': 'written in front of a device',
  'Visit/AddPhoto': 'written in front of a device',
  'Visit/NewCalendarAddress': 'a dialog of its page',
  'Visit/EndCalendarAddress': 'a dialog of its page',
  'LightStatement/SetTerms': 'about the customer that its page shows',
  'Energy/SetTariffs': 'about what its page shows',
  'Energy/SetPanelPower': 'about what its page shows',
  'Energy/SetGridFactors': 'about what its page shows',
  'PanelLife/SetLifeModel': 'about what its page shows',
}
/** These pages are not in the menu; each names what leads to it. */
const NOT_IN_MENU: Readonly<Record<string, string>> = {
  '/': 'home',
  '/login': 'nobody is signed in',
  '/signed-in': 'nobody is signed in',
  '/signed-in/$redirectId': 'nobody is signed in',
  '/registration': 'nobody is signed in',
  '/reset-password': 'nobody is signed in',
  '/acknowledge': 'nobody is signed in',
  '/profile': 'in development mode',
  '/licences': 'the menu of the user',
  '/claim': 'the menu of the list of devices, or the code of a device',
  '/visits/$guid': 'a visit of the list, or the code of a device',
  '/devices/$guid': 'a device that is found',
  '/devices/$guid/details': 'a tab of the present device',
  '/devices/$guid/setup': 'a tab of the present device',
  '/devices/$guid/generic-setup': 'a tab of the present device',
  '/devices/$guid/status': 'a tab of the present device',
  '/devices/$guid/device-components': 'a tab of the present device',
  '/devices/$guid/alerts': 'a tab of the present device',
  '/devices/$guid/maintenance': 'a tab of the present device',
  '/alerts/alert-details': 'a row of Alerts',
  '/incidents/incident': 'a row of Incidents',
  '/users/user-details': 'a row of Users',
  '/users/add-user': 'Add user',
  '/device-software/rollouts/new': 'Plan a client update',
  '/device-software/rollouts/$updateId': 'a row of Rollouts',
}

test('every call that changes something is set going by a line of the palette, or it is said why not', () => {
  const set = new Set(Object.values(ACTIONS).flatMap((calls): string[] => calls.map(({ path }) => path)))
  const missing = CALLS.filter((call) => 'changes' in call && call.changes !== undefined && !set.has(call.path))
  expect(missing.map(({ path }) => path).sort()).toEqual(Object.keys(NOT_OFFERED).sort())
})

test('every page is in the menu and so in the palette, or it is said what leads to it', () => {
  const inMenu = new Set<string>(
    NAVIGATION.flatMap(({ entries }) => entries.flatMap(({ tabs }) => tabs.map(({ path }) => path))),
  )
  const others = Object.keys(ADDRESSES).filter((path) => !inMenu.has(path))
  expect(others.sort()).toEqual(Object.keys(NOT_IN_MENU).sort())
})

test('each action has a command in the feature that does it, or a link to it', () => {
  const sources = globSync('console/{app,features,pickers,ui}/**/*.{ts,tsx}').filter((path) => !path.includes('.test.'))
  const texts = sources.map((path) => readFileSync(path, 'utf8')).join('\n')
  const unnamed = Object.keys(ACTIONS).filter(
    (actionId) => !texts.includes(`actionId: '${actionId}'`) && !texts.includes(`may('${actionId}')`),
  )
  expect(unnamed).toEqual(['device.details', 'list.filter'])
})

test('who may not make its calls is offered no action, and a customer user none of the staff', () => {
  const offeredTo = (functions: readonly FunctionId[], customerId?: number) => {
    const authority = {
      functions,
      isLab: false,
      isInternal: false,
      ...(customerId ? { customerId: customerId as never } : {}),
    }
    const actionIds = (Object.keys(ACTIONS) as ActionId[]).filter((actionId) => mayDo(actionId, authority))
    for (const actionId of actionIds)
      for (const { permission } of ACTIONS[actionId]) expect(isAllowed(permission, authority)).toBe(true)
    return actionIds.filter((actionId) => ACTIONS[actionId].length > 0 && !actionId.startsWith('account.'))
  }
  expect(offeredTo([])).toEqual([])
  expect(offeredTo([FUNCTION.createDevice])).toEqual([])
  expect(offeredTo([FUNCTION.analytics])).toEqual(['alert.analyse', 'alert.copyLink', 'alert.mail'])
  const staffOnly = offeredTo([FUNCTION.admin]).filter((actionId) => !offeredTo([FUNCTION.admin], 3).includes(actionId))
  expect(staffOnly).toEqual([
    'customer.add',
    'provider.add',
    'release.upload',
    'role.add',
    'update.plan',
    'update.steer',
  ])
  const adminOnly = offeredTo([FUNCTION.admin], 3).filter(
    (actionId) => !offeredTo([FUNCTION.deviceManager], 3).includes(actionId),
  )
  expect(adminOnly).toEqual([
    'alert.analyse',
    'channel.add',
    'device.add',
    'device.claim',
    'device.components',
    'devices.import',
    'devices.updateClient',
    'onCall.add',
    'route.add',
    'threshold.add',
    'user.add',
    'user.delete',
    'user.endSessions',
    'user.erase',
    'user.factors',
    'user.mail',
    'user.personalData',
  ])
})
