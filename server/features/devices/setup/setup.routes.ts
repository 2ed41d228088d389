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
} from '#contract/http/devices/setup.ts'
import { type Route, route, type SignedInRequest } from '#server/http/call/route.ts'
import {
  ambientRequested,
  batteryTestRequested,
  dataBudgetRequested,
  dayPlanRequested,
  displayRequested,
  type RequestedSection,
  turnOffRequested,
} from './requestedSections.ts'
import type { DeviceSettingsService } from './setup.service.ts'

type ApplyRequest = Pick<SignedInRequest<never>, 'caller' | 'change' | 'setHeader'>

export function deviceSettingsRoutes(settings: DeviceSettingsService): readonly Route[] {
  async function apply(asked: RequestedSection, { caller, change, setHeader }: ApplyRequest): Promise<string[]> {
    const { errors, isQueued, isUnanswered } = await settings.apply(asked, caller, change)
    if (isQueued) setHeader(QUEUED_HEADER, 'true')
    if (isUnanswered) setHeader(UNANSWERED_HEADER, 'true')
    return errors
  }
  return [
    route(applyDisplaySettings, (request) => apply(displayRequested(request.body), request)),
    route(applyAmbientSensorSettings, (request) => apply(ambientRequested(request.body), request)),
    route(applyTurnDisplayOffSettings, (request) => apply(turnOffRequested(request.body), request)),
    route(applyDayPlanSettings, (request) => apply(dayPlanRequested(request.body), request)),
    route(applyBatteryTestSettings, (request) => apply(batteryTestRequested(request.body), request)),
    route(applyDataBudgetSettings, (request) => apply(dataBudgetRequested(request.body), request)),
    route(getDeviceLocalSettings, ({ query, caller }) => settings.turnOffTimes(query.deviceId, caller)),
    route(getDeviceSettings, ({ query, caller }) => settings.view(query.deviceId, caller)),
    route(listSettingChanges, ({ query, caller }) => settings.changes(query, caller)),
    route(compareDeviceSettings, ({ body, caller }) => settings.compare(body.deviceIds, caller)),
  ]
}
