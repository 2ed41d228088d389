import type { ReadBodyOf } from '#contract/http/call.ts'
import type {
  applyAmbientSensorSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
} from '#contract/http/deviceSettings.ts'
import type { DesiredSection } from '#contract/mqtt/settings.ts'
import type { DeviceId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/callError.ts'

/** What somebody wants of one section of one device. */
export type SectionWish = DesiredSection & { readonly deviceId: DeviceId }

export function displayWish(body: ReadBodyOf<typeof applyDisplaySettings>): SectionWish {
  const { deviceId, displayNumber, dTouchScreenStatus } = body
  return {
    deviceId,
    section: 'display',
    number: displayNumber,
    args: {
      displayNumber,
      brightness: body.dBrightness,
      ...(dTouchScreenStatus === undefined ? {} : { touchScreenStatus: dTouchScreenStatus }),
      backlightLevel: body.dBacklightLevel,
      gammaValue: body.dGammaValue,
      redColorBalance: body.dRedColorBalance,
      greenColorBalance: body.dGreenColorBalance,
      blueColorBalance: body.dBlueColorBalance,
    },
  }
}

export function ambientWish(body: ReadBodyOf<typeof applyAmbientSensorSettings>): SectionWish {
  const { deviceId, number } = body
  return {
    deviceId,
    section: 'ambientSensor',
    number,
    args: {
      number,
      backlightAutomaticStatus: Boolean(body.dBacklightAutomaticStatus),
      minBacklight: body.dMinBacklight,
      maxBacklight: body.dMaxBacklight,
      minAmbientLight: body.dMinAmbientLight,
      maxAmbientLight: body.dMaxAmbientLight,
    },
  }
}

/** @throws CallError when a group has one time and not the other (decisions: Calls, turn-off times) */
export function turnOffWish({ deviceId, ...times }: ReadBodyOf<typeof applyTurnDisplayOffSettings>): SectionWish {
  for (const group of ['wd', 'wknd', 'hol'] as const) {
    const [from, to] = [`${group}TimeOffFrom`, `${group}TimeOffTo`] as const
    if ((times[from] === null) === (times[to] === null)) continue
    throw new CallError('invalid_request', required(times[from] === null ? from : to))
  }
  return { deviceId, section: 'turnOff', number: 1, args: times }
}
