import { darkTitle } from '../darkness/darkTitle.ts'
import type { WrongKind } from '../darkness/wrongKinds.ts'
import { MOST_USUAL_STARTS } from '../devices/restarts.ts'
import { DEVICE_STATUS } from '../devices/status.ts'

interface Problem {
  readonly kind: WrongKind
  /** The title of the alert, when one is the problem. */
  readonly alert: string | undefined
  /** Somebody knows of the device: it is in maintenance, or out of order. */
  readonly isExcused: boolean
  readonly deviceCount: number
  /** One of the devices with the problem. */
  readonly device:
    | {
        readonly statusId: number
        readonly cause: { readonly sentence: string } | null
        readonly maintenanceReason: string | null
      }
    | undefined
}

/** Returns what is wrong as one sentence without a full stop. */
export function problemLabel({ kind, alert, isExcused, deviceCount, device }: Problem): string {
  const isOfSeveral = kind === 'silent' && deviceCount > 1
  const what = isOfSeveral ? 'Not reporting: no data from these devices' : labelOf(kind, device?.cause?.sentence, alert)
  if (!isExcused || device === undefined) return what
  if (device.statusId === DEVICE_STATUS.outOfOrder) return `${what} (out of order)`
  const reason = device.maintenanceReason ? `: ${device.maintenanceReason}` : ''
  return kind === 'inMaintenance' ? `In maintenance${reason}` : `${what} (in maintenance${reason})`
}

function labelOf(kind: WrongKind, sentence: string | undefined, alert: string | undefined): string {
  switch (kind) {
    case 'dark':
      return darkTitle(sentence ?? '')
    case 'silent':
      return 'Not reporting: no data from this device'
    case 'alerted':
      return alert ?? 'An alert is active'
    case 'unanswered':
      return 'Power command sent, outcome unknown'
    case 'onBattery':
      return 'Running on battery'
    case 'reportsRefused':
      return 'Connected, but its reports are refused'
    case 'clockWrong':
      return 'Connected, but its clock is wrong'
    case 'inMaintenance':
      return 'In maintenance'
    case 'restarting':
      return `Client started more than ${MOST_USUAL_STARTS} times in an hour`
    case 'identityConflict':
      return 'Two machines report as this device'
  }
}
