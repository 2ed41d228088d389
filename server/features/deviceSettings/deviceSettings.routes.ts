import {
  applyAmbientSensorSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  compareDeviceSettings,
  getDeviceLocalSettings,
  getDeviceSettings,
  QUEUED_HEADER,
} from '#contract/http/deviceSettings.ts'
import { type Route, route, type SignedInRequest } from '#server/http/route.ts'
import type { DeviceSettingsService } from './deviceSettings.service.ts'
import { ambientWish, displayWish, type SectionWish, turnOffWish } from './wishes.ts'

type ApplyRequest = Pick<SignedInRequest<never>, 'caller' | 'change' | 'setHeader'>

export function deviceSettingsRoutes(settings: DeviceSettingsService): readonly Route[] {
  async function apply(wish: SectionWish, { caller, change, setHeader }: ApplyRequest): Promise<string[]> {
    const { errors, isQueued } = await settings.apply(wish, caller, change)
    if (isQueued) setHeader(QUEUED_HEADER, 'true')
    return errors
  }
  return [
    route(applyDisplaySettings, (request) => apply(displayWish(request.body), request)),
    route(applyAmbientSensorSettings, (request) => apply(ambientWish(request.body), request)),
    route(applyTurnDisplayOffSettings, (request) => apply(turnOffWish(request.body), request)),
    route(getDeviceLocalSettings, ({ query, caller }) => settings.turnOffTimes(query.deviceId, caller)),
    route(getDeviceSettings, ({ query, caller }) => settings.view(query.deviceId, caller)),
    route(compareDeviceSettings, ({ body, caller }) => settings.compare(body.deviceIds, caller)),
  ]
}
