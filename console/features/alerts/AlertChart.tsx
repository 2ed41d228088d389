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

const AROUND_MS = 60 * 60 * 1000
/** The finest there is: an alert is a matter of minutes. */
const STEP_MINUTES = 5

const MARKER_COLOURS = {
  dark: { own: '#ff7066', other: '#9aabba' },
  light: { own: '#c2261d', other: '#526272' },
}

/** The measurement around the moment, with the threshold across it. Absent for what is no measurement. */
export function AlertChart({ alert }: { readonly alert: AlertDetails }) {
  const { measurementId, deviceId } = alert
  const openedMs = Date.parse(alert.created)
  const period = { from: new Date(openedMs - AROUND_MS), to: new Date(openedMs + AROUND_MS) }
  const readings = useCall(
    getAnalyticsColumns,
    {
      devices: [deviceId],
      measurements: measurementId === null ? [] : [measurementId],
      dateFrom: period.from.toISOString(),
      dateTo: period.to.toISOString(),
      minutesRound: STEP_MINUTES,
      withRange: true,
    },
    { enabled: measurementId !== null, refreshEveryMs: REFRESH_EVERY_MS.besideLive },
  )
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
            stepMinutes={STEP_MINUTES}
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
