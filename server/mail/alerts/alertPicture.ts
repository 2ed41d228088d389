import { limitLevel } from '#domain/alerts/alertLimit.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { pngOf } from '../chart/chartPicture.ts'
import { chartPeriod, chartSvg } from '../chart/chartSvg.ts'
import type { MailedAlert } from './mailedAlert.ts'

/** Reads single readings, oldest first; of more than `atMost` the newest. */
export type ReadReadings = (
  question: { readonly deviceId: DeviceId; readonly fieldId: FieldId; readonly from: Date; readonly to: Date },
  atMost: number,
) => Promise<{ readonly timesMs: readonly number[]; readonly values: readonly number[] }>

const MOST_DRAWN = 20_000

/**
 * Draws the chart of an alert as PNG; undefined for what is no measurement, and where no line can be drawn.
 *
 * @throws when this machine cannot draw it
 */
export async function alertPicture(alert: MailedAlert, read: ReadReadings, now: Date): Promise<Buffer | undefined> {
  const field = numberedFieldById(alert.fieldId)?.field
  if (!field?.isMeasurement) return undefined
  const { fromMs, toMs } = chartPeriod(alert.createdAt.getTime(), now.getTime())
  const { timesMs, values } = await read(
    {
      deviceId: alert.deviceId as DeviceId,
      fieldId: alert.fieldId as FieldId,
      from: new Date(fromMs),
      to: new Date(toMs),
    },
    MOST_DRAWN,
  )
  if (timesMs.length < 2) return undefined
  return pngOf(
    chartSvg({
      fromMs,
      toMs,
      timesMs,
      values,
      level: limitLevel({ kind: alert.kind, threshold: alert.threshold ?? '' }),
      openedMs: alert.createdAt.getTime(),
      overMs: alert.isOver ? alert.stateSince.getTime() : undefined,
      unit: field.unit ?? '',
      timeZone: isTimeZone(alert.timeZone) ? alert.timeZone : 'UTC',
    }),
  )
}
