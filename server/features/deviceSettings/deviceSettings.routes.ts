import { QUEUED_HEADER, UNANSWERED_HEADER } from '#contract/call/headers.ts'
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
} from '#contract/http/deviceSettings.ts'
import { type Route, route, type SignedInRequest } from '#server/http/call/route.ts'
import {
  type AskedSection,
  ambientAsked,
  batteryTestAsked,
  dataBudgetAsked,
  dayPlanAsked,
  displayAsked,
  turnOffAsked,
} from './askedSections.ts'
import type { DeviceSettingsService } from './deviceSettings.service.ts'

type ApplyRequest = Pick<SignedInRequest<never>, 'caller' | 'change' | 'setHeader'>

export function deviceSettingsRoutes(settings: DeviceSettingsService): readonly Route[] {
  async function apply(asked: AskedSection, { caller, change, setHeader }: ApplyRequest): Promise<string[]> {
    const { errors, isQueued, isUnanswered } = await settings.apply(asked, caller, change)
    if (isQueued) setHeader(QUEUED_HEADER, 'true')
    if (isUnanswered) setHeader(UNANSWERED_HEADER, 'true')
    return errors
  }
  return [
    route(applyDisplaySettings, (request) => apply(displayAsked(request.body), request)),
    route(applyAmbientSensorSettings, (request) => apply(ambientAsked(request.body), request)),
    route(applyTurnDisplayOffSettings, (request) => apply(turnOffAsked(request.body), request)),
    route(applyDayPlanSettings, (request) => apply(dayPlanAsked(request.body), request)),
    route(applyBatteryTestSettings, (request) => apply(batteryTestAsked(request.body), request)),
    route(applyDataBudgetSettings, (request) => apply(dataBudgetAsked(request.body), request)),
    route(getDeviceLocalSettings, ({ query, caller }) => settings.turnOffTimes(query.deviceId, caller)),
    route(getDeviceSettings, ({ query, caller }) => settings.view(query.deviceId, caller)),
    route(listSettingChanges, ({ query, caller }) => settings.changes(query, caller)),
    route(compareDeviceSettings, ({ body, caller }) => settings.compare(body.deviceIds, caller)),
  ]
}
