import { useMemo } from 'react'
import { alertDetails } from '#console/alert/alertDetails.ts'
import { usePlannedDarkness } from '#console/device/plannedDarkness.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { LevelChart } from '#console/ui/chart/LevelChart.tsx'
import type { ChartMarker } from '#console/ui/chart/markers.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { useScheme } from '#console/ui/scheme.ts'
import type { AlertDetails } from '#contract/http/alert.ts'
import { getAnalyticsColumns } from '#contract/http/analytics.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { HOUR_MS } from '#domain/units/time.ts'

/** The finest there is: an alert is a matter of minutes. */
const MINUTES = { stepMinutes: 5, aroundMs: HOUR_MS } as const
/** Of readings that are kept no more there are the hours. */
const HOURS = { stepMinutes: 60, aroundMs: 12 * HOUR_MS } as const

const MARKER_COLOURS = {
  dark: { own: '#ff7066', other: '#9aabba' },
  light: { own: '#c2261d', other: '#526272' },
}

/** The measurement around the moment, with the threshold across it. Absent for what is no measurement. */
export function AlertChart({ alert }: { readonly alert: AlertDetails }) {
  const { measurementId, deviceId } = alert
  const { readings, stepMinutes, period } = useReadingsAround(alert)
  const navigate = useNavigate()
  const colour = MARKER_COLOURS[useScheme()]
  const markers = useMemo(
    () =>
      [{ ...alert, conditionText: alert.condition_text }, ...alert.neighbours].map(
        ({ id, created, conditionText }): ChartMarker => ({
          key: id,
          atS: Date.parse(created) / 1000,
          text: `${formatDateTime(created)} ${conditionText}`,
          color: id === alert.id ? colour.own : colour.other,
          href: alertDetails(id),
        }),
      ),
    [alert, colour],
  )
  const spans = usePlannedDarkness(deviceId, period)
  const shade = useMemo(() => ({ name: 'Planned dark', spans }), [spans])
  if (measurementId === null) return null
  return (
    <Panel title="Around the moment" meta={alert.et_field_name}>
      <AsyncView query={readings} isEmpty={({ devices }) => devices.length === 0}>
        {({ devices }) => (
          <LevelChart
            deviceId={deviceId}
            fieldId={measurementId}
            name={alert.et_field_name}
            unit={numberedFieldById(measurementId)?.field.unit}
            columns={devices[0]}
            stepMinutes={stepMinutes}
            period={period}
            level={alert.value_dec ?? undefined}
            markers={markers}
            shade={shade}
            onMarker={({ href }) => navigate(href as Address)}
          />
        )}
      </AsyncView>
    </Panel>
  )
}

/** Minutes around the moment, or hours where the minutes are gone. */
function useReadingsAround({ measurementId, deviceId, created }: AlertDetails) {
  const question = ({ stepMinutes, aroundMs }: typeof MINUTES | typeof HOURS) => ({
    devices: [deviceId],
    measurements: measurementId === null ? [] : [measurementId],
    ...periodAround(created, aroundMs),
    minutesRound: stepMinutes,
    withRange: true,
  })
  const isMeasured = measurementId !== null
  const minutes = useCall(getAnalyticsColumns, question(MINUTES), {
    enabled: isMeasured,
    refreshEveryMs: REFRESH_EVERY_MS.besideLive,
  })
  const areGone = minutes.data?.devices.length === 0
  const hours = useCall(getAnalyticsColumns, question(HOURS), { enabled: isMeasured && areGone })
  const { stepMinutes, aroundMs } = areGone ? HOURS : MINUTES
  const { dateFrom, dateTo } = periodAround(created, aroundMs)
  const period = { from: new Date(dateFrom), to: new Date(dateTo) }
  return { readings: areGone ? hours : minutes, stepMinutes, period }
}

function periodAround(moment: string, aroundMs: number) {
  const ms = Date.parse(moment)
  return { dateFrom: new Date(ms - aroundMs).toISOString(), dateTo: new Date(ms + aroundMs).toISOString() }
}
