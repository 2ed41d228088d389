import { formatFileDate } from '#console/lib/time/time.ts'
import type { DeviceId } from '#domain/ids.ts'

/** P2 §9: rawData or msgData, with the device id and the date, which is the viewer's. */
export function exportFileName(kind: 'rawData' | 'msgData', deviceId: DeviceId, now: Date): string {
  return `${kind}_${deviceId}_${formatFileDate(now)}.csv`
}
