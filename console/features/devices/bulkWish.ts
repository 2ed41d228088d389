import { type Input, sendOrQueue } from '#console/lib/api.ts'
import { commandWords } from '#console/lib/commandWords.ts'
import type { AnswerOf } from '#contract/http/call.ts'
import { setDeviceStatus } from '#contract/http/deviceDetails.ts'
import {
  applyAmbientSensorSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  type compareDeviceSettings,
} from '#contract/http/deviceSettings.ts'
import type { CommandArguments } from '#contract/mqtt/command.ts'
import { type DeviceStatusId, deviceStatusName } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'

/** What is to be set on every selected device: whatever can be set on one (issue: device area, 7). */
export type BulkWish =
  | { readonly kind: 'status'; readonly statusId: DeviceStatusId }
  | { readonly kind: 'display'; readonly args: CommandArguments<'display.apply'> }
  | { readonly kind: 'ambientSensor'; readonly args: CommandArguments<'ambientSensor.apply'> }
  | { readonly kind: 'turnOff'; readonly args: CommandArguments<'turnOff.apply'> }
export type BulkKind = BulkWish['kind']

export type ComparedDevice = AnswerOf<typeof compareDeviceSettings>[number]

/** How one device stands to a wish before it is sent. */
export interface Comparison {
  readonly device: ComparedDevice
  /** `absent`: the device has no such display. */
  readonly verdict: 'differs' | 'same' | 'absent'
  /** What is set now, in words; empty where nobody has set it. */
  readonly now: readonly string[]
}

export function compared(wish: BulkWish, device: ComparedDevice): Comparison {
  if (wish.kind === 'status') {
    const isSame = device.statusId === wish.statusId
    return { device, verdict: isSame ? 'same' : 'differs', now: [deviceStatusName(device.statusId)] }
  }
  if (wish.kind === 'display' && !device.displayNumbers.includes(wish.args.displayNumber)) {
    return { device, verdict: 'absent', now: [] }
  }
  const desired = desiredArguments(device, wish.kind, numberOf(wish))
  if (!desired) return { device, verdict: 'differs', now: [] }
  // What the wish leaves out stays as it is, so it cannot differ.
  const isSame = Object.entries(wish.args).every(([key, value]) => value === undefined || desired[key] === value)
  return { device, verdict: isSame ? 'same' : 'differs', now: commandWords(`${wish.kind}.apply`, desired).details }
}

/** What somebody has set last; undefined where nobody has. */
export function desiredArguments(
  { sections }: ComparedDevice,
  kind: Exclude<BulkKind, 'status'>,
  number: number,
): Readonly<Record<string, unknown>> | undefined {
  return sections.find((section) => section.section === kind && section.number === number)?.desired ?? undefined
}

function numberOf(wish: Exclude<BulkWish, { readonly kind: 'status' }>): number {
  if (wish.kind === 'display') return wish.args.displayNumber
  return wish.kind === 'ambientSensor' ? wish.args.number : 1
}

/** What came of it for one device. */
export type BulkResult =
  | { readonly kind: 'applied' }
  | { readonly kind: 'queued' }
  /** The device's own words, or why the call failed. */
  | { readonly kind: 'failed'; readonly errors: readonly string[] }

/** Sets one device by the single call, so that each has its own audit row, limits and answer. Throws `CallFailed`. */
export async function sendWish(wish: BulkWish, deviceId: DeviceId): Promise<BulkResult> {
  if (wish.kind === 'status') {
    await sendOrQueue(setDeviceStatus, { query: { id: deviceId, statusId: wish.statusId } })
    return { kind: 'applied' }
  }
  const { answer, isQueued } = await sendSettings(wish, deviceId)
  if (answer.length > 0) return { kind: 'failed', errors: answer }
  return { kind: isQueued ? 'queued' : 'applied' }
}

function sendSettings(wish: Exclude<BulkWish, { readonly kind: 'status' }>, deviceId: DeviceId) {
  switch (wish.kind) {
    case 'display':
      return sendOrQueue(applyDisplaySettings, { body: displayBody(wish.args, deviceId) })
    case 'ambientSensor':
      return sendOrQueue(applyAmbientSensorSettings, {
        body: {
          deviceId,
          number: wish.args.number,
          dBacklightAutomaticStatus: wish.args.backlightAutomaticStatus,
          dMinBacklight: wish.args.minBacklight,
          dMaxBacklight: wish.args.maxBacklight,
          dMinAmbientLight: wish.args.minAmbientLight,
          dMaxAmbientLight: wish.args.maxAmbientLight,
        },
      })
    case 'turnOff':
      return sendOrQueue(applyTurnDisplayOffSettings, { body: { deviceId, ...wish.args } })
  }
}

function displayBody(
  args: CommandArguments<'display.apply'>,
  deviceId: DeviceId,
): Input<typeof applyDisplaySettings>['body'] {
  return {
    deviceId,
    displayNumber: args.displayNumber,
    dBrightness: args.brightness,
    dBacklightLevel: args.backlightLevel,
    dGammaValue: args.gammaValue,
    dRedColorBalance: args.redColorBalance,
    dGreenColorBalance: args.greenColorBalance,
    dBlueColorBalance: args.blueColorBalance,
    ...(args.touchScreenStatus === undefined ? {} : { dTouchScreenStatus: args.touchScreenStatus }),
  }
}
