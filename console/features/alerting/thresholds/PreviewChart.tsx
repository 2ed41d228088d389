import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { LevelChart } from '#console/ui/chart/LevelChart.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import type { SeverityTone } from '#console/ui/severityLook.ts'
import type { ConditionPreview } from '#contract/http/alerting/thresholds.ts'
import { getAnalyticsColumns } from '#contract/http/insight/analytics.ts'
import { numberedFieldsOf } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import type { ConditionField } from './condition/conditionValues.ts'
import { StretchStrip } from './StretchStrip.tsx'

const STEP_MINUTES = 60

interface Props {
  readonly deviceId: DeviceId
  readonly deviceName: string | undefined
  /** It is absent for a condition that only the clock evaluates. */
  readonly field: ConditionField | undefined
  readonly period: Period
  readonly level: number | undefined
  readonly levelTone: SeverityTone | undefined
  readonly stretches: ConditionPreview['stretches']
}

/** It draws the history of the value with the threshold across it, and when the condition would have been met. */
export function PreviewChart({ deviceId, deviceName, field, period, level, levelTone, stretches }: Props) {
  // The chart draws the first of several displays.
  const drawn = field && numberedFieldsOf(field.id as FieldId)[0]
  const fieldId = drawn?.id
  const isDrawn = fieldId !== undefined && drawn?.field.isMeasurement === true
  const readings = useCall(
    getAnalyticsColumns,
    {
      devices: [deviceId],
      measurements: fieldId === undefined ? [] : [fieldId],
      dateFrom: period.from.toISOString(),
      dateTo: period.to.toISOString(),
      minutesRound: STEP_MINUTES,
      withRange: true,
    },
    { enabled: isDrawn, freshMs: Number.POSITIVE_INFINITY },
  )
  return (
    <div className="preview-chart">
      <h4>Last 30 days{deviceName && <span className="dim"> of {deviceName}</span>}</h4>
      <StretchStrip stretches={stretches} period={period} />
      {isDrawn && field && (
        <AsyncView query={readings} isEmpty={({ devices }) => devices.length === 0}>
          {({ devices }) => (
            <LevelChart
              deviceId={deviceId}
              fieldId={fieldId}
              name={field.name}
              unit={field.unit ?? undefined}
              columns={devices[0]}
              stepMinutes={STEP_MINUTES}
              period={period}
              level={level}
              levelTone={levelTone}
            />
          )}
        </AsyncView>
      )}
    </div>
  )
}
