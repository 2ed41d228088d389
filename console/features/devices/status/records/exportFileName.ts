import { formatFileDate } from '#console/lib/time/time.ts'
import type { DeviceId } from '#domain/ids.ts'

/** The date in the name is the viewer's (rules/formats 4). */
export function exportFileName(kind: 'rawData' | 'msgData', deviceId: DeviceId, now: Date): string {
  return `${kind}_${deviceId}_${formatFileDate(now)}.csv`
}
