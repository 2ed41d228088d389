import type { Input } from '#console/lib/call/api.ts'
import { send, sendOrQueue } from '#console/lib/call/api.ts'
import { CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { changeDeviceTags, setDeviceStatus } from '#contract/http/devices/details.ts'
import {
  applyAmbientSensorSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  compareDeviceSettings,
} from '#contract/http/devices/setup.ts'
import type { DeviceId } from '#domain/ids.ts'
import { bothValues } from './bulkOvertaken.ts'
import { type BulkChange, type Comparison, PART_NAMES, type SettingsChange, tagChangeOf } from './bulkSettings.ts'

export type BulkResult =
  | { readonly kind: 'applied' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'unanswered'; readonly errors: readonly string[] }
  | { readonly kind: 'failed'; readonly errors: readonly string[]; readonly isOvertaken?: boolean }

export interface BulkPart {
  readonly bulkName: string
  readonly stopped: AbortSignal
}

/** The server's limit refused the call before it did anything, so it is sent again after this time. */
const PUT_OFF_MS = 1000

/**
 * It sets one device by single calls, one for each of its displays, so that each has its own audit row, limits and
 * answer. A call that a limit refuses is sent again until `stopped`.
 *
 * @throws CallFailed when the user is signed out or does not prove their identity
 */
export async function sendChange(
  change: BulkChange,
  { device, numbers }: Comparison,
  { stopped, bulkName }: BulkPart,
): Promise<BulkResult> {
  const { deviceId } = device
  if (change.kind === 'status') {
    const { statusId } = change
    if (statusId === undefined) throw new Error('A status is sent once one is chosen.')
    return sent(() => sendOrQueue(setDeviceStatus, { query: { id: deviceId, statusId }, bulkName }), stopped)
  }
  if ('tags' in change) {
    return sent(
      () => sendOrQueue(changeDeviceTags, { body: { id: deviceId, ...tagChangeOf(change) }, bulkName }),
      stopped,
    )
  }
  const results: BulkResult[] = []
  for (const number of numbers) {
    const basedOn = desiredAtOf(device, change.kind, number)
    const result = await sent(() => sendSettings(change, { deviceId, number, basedOn, bulkName }), stopped)
    const named = (error: string) => (numbers.length > 1 ? `${PART_NAMES[change.kind]} ${number}: ${error}` : error)
    if (result.kind === 'unanswered') results.push({ kind: 'unanswered', errors: result.errors.map(named) })
    else if (result.kind === 'failed') {
      const both = result.isOvertaken ? await bothValuesNow(change, deviceId, number) : []
      results.push({ kind: 'failed', errors: [...result.errors.map(named), ...both] })
    } else results.push(result)
  }
  for (const kind of ['failed', 'unanswered'] as const) {
    const errors = results.flatMap((result) => (result.kind === kind ? result.errors : []))
    if (errors.length > 0) return { kind, errors }
  }
  return results.some(({ kind }) => kind === 'queued') ? { kind: 'queued' } : { kind: 'applied' }
}

async function sent(
  call: () => Promise<{ readonly answer: unknown; readonly isQueued: boolean; readonly isUnanswered: boolean }>,
  stopped: AbortSignal,
): Promise<BulkResult> {
  try {
    const { answer, isQueued, isUnanswered } = await call()
    if (Array.isArray(answer) && answer.length > 0) {
      return { kind: isUnanswered ? 'unanswered' : 'failed', errors: answer }
    }
    return { kind: isQueued ? 'queued' : 'applied' }
  } catch (failure) {
    if (failure instanceof CallFailed && (failure.status === 401 || failure.code === 'step_up_required')) throw failure
    if (failure instanceof CallFailed && failure.code === 'too_many_requests' && !stopped.aborted) {
      await new Promise((resolve) => setTimeout(resolve, PUT_OFF_MS))
      if (!stopped.aborted) return sent(call, stopped)
    }
    const isOvertaken = failure instanceof CallFailed && failure.code === 'settings_changed'
    return { kind: 'failed', errors: [failureMessage(failure)], isOvertaken }
  }
}

/** It words what somebody else has set and what was to be set, or returns nothing where that cannot be read. */
async function bothValuesNow(change: SettingsChange, deviceId: DeviceId, number: number): Promise<readonly string[]> {
  try {
    const [now] = await send(compareDeviceSettings, { body: { deviceIds: [deviceId] } })
    const both = now && bothValues(change, now, number)
    return both === undefined ? [] : [both]
  } catch (failure) {
    if (failure instanceof CallFailed && failure.status === 401) throw failure
    return []
  }
}

const desiredAtOf = ({ sections }: Comparison['device'], section: SettingsChange['kind'], number: number) =>
  sections.find((one) => one.section === section && one.number === number)?.desiredAt ?? null

interface SettingsTarget {
  readonly deviceId: DeviceId
  readonly number: number
  readonly basedOn: string | null
  readonly bulkName: string
}

function sendSettings(change: SettingsChange, { deviceId, number, basedOn, bulkName }: SettingsTarget) {
  switch (change.kind) {
    case 'display':
      return sendOrQueue(applyDisplaySettings, {
        body: { ...displayBody(change.chosen, deviceId, number), basedOn },
        bulkName,
      })
    case 'ambientSensor': {
      const { chosen } = change
      const body = {
        ...{ deviceId, number, dBacklightAutomaticStatus: chosen.backlightAutomaticStatus },
        ...{ dMinBacklight: chosen.minBacklight, dMaxBacklight: chosen.maxBacklight },
        ...{ dMinAmbientLight: chosen.minAmbientLight, dMaxAmbientLight: chosen.maxAmbientLight },
        basedOn,
      }
      return sendOrQueue(applyAmbientSensorSettings, { body, bulkName })
    }
    case 'dayPlan': {
      const { workdays, weekends, holidays } = change.chosen
      const body = {
        deviceId,
        ...(workdays && { workdays: [...workdays] }),
        ...(weekends && { weekends: [...weekends] }),
        ...(holidays && { holidays: [...holidays] }),
        basedOn,
      }
      return sendOrQueue(applyDayPlanSettings, { body, bulkName })
    }
    case 'turnOff':
      return sendOrQueue(applyTurnDisplayOffSettings, {
        body: { deviceId, ...change.chosen, leaveOthers: true, basedOn },
        bulkName,
      })
  }
}

function displayBody(
  chosen: Extract<SettingsChange, { readonly kind: 'display' }>['chosen'],
  deviceId: DeviceId,
  displayNumber: number,
): Input<typeof applyDisplaySettings>['body'] {
  return {
    deviceId,
    displayNumber,
    dBrightness: chosen.brightness,
    dTouchScreenStatus: chosen.touchScreenStatus,
    dBacklightLevel: chosen.backlightLevel,
    dGammaValue: chosen.gammaValue,
    dRedColorBalance: chosen.redColorBalance,
    dGreenColorBalance: chosen.greenColorBalance,
    dBlueColorBalance: chosen.blueColorBalance,
  }
}
