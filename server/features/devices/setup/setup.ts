import {
  applyAmbientSensorSettings,
  applyBatteryTestSettings,
  applyDataBudgetSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  compareDeviceSettings,
  getDeviceLocalSettings,
  getDeviceSettings,
  listSettingChanges,
} from '#contract/http/devices/setup.ts'
import { COMMANDS } from '#contract/mqtt/command.ts'
import type { Given } from '#server/features/feature.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { applySettings } from './applySettings.ts'
import {
  ambientRequested,
  batteryTestRequested,
  dataBudgetRequested,
  dayPlanRequested,
  displayRequested,
  NEVER_OFF,
  turnOffRequested,
} from './requestedSections.ts'
import { compareSettings, settingChanges, viewSettings } from './settingViews.ts'
import { findSettledDevice, listSettings } from './setup.store.ts'

export function setupFeature(given: Pick<Given, 'pool' | 'db' | 'commands'>) {
  const { db } = given
  return {
    routes: [
      route(applyDisplaySettings, (request) => applySettings(given, displayRequested(request.body), request)),
      route(applyAmbientSensorSettings, (request) => applySettings(given, ambientRequested(request.body), request)),
      route(applyTurnDisplayOffSettings, (request) => applySettings(given, turnOffRequested(request.body), request)),
      route(applyDayPlanSettings, (request) => applySettings(given, dayPlanRequested(request.body), request)),
      route(applyBatteryTestSettings, (request) => applySettings(given, batteryTestRequested(request.body), request)),
      route(applyDataBudgetSettings, (request) => applySettings(given, dataBudgetRequested(request.body), request)),
      route(getDeviceLocalSettings, async ({ query: { deviceId }, caller }) => {
        const scope = scopeOf(caller)
        await foundRow(findSettledDevice(db, deviceId, scope))
        const turnOff = (await listSettings(db, [deviceId], scope)).find(({ section }) => section === 'turnOff')
        return COMMANDS['turnOff.apply'].parse(turnOff?.desired ?? NEVER_OFF)
      }),
      route(getDeviceSettings, ({ query, caller }) => viewSettings(given, query.deviceId, scopeOf(caller))),
      route(listSettingChanges, ({ query, caller }) => settingChanges(db, query, scopeOf(caller))),
      route(compareDeviceSettings, ({ body, caller }) => compareSettings(db, body.deviceIds, scopeOf(caller))),
    ],
  }
}
