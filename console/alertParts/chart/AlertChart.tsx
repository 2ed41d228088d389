import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { type AlertPast, chosenOccurrence } from '#console/alertParts/chart/useAlertPast.ts'
import { useAlertReadings } from '#console/alertParts/chart/useAlertReadings.ts'
import { usePlannedDarkness } from '#console/deviceParts/plannedDarkness.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { LevelChart } from '#console/ui/chart/LevelChart.tsx'
import type { ChartMarker } from '#console/ui/chart/markers.ts'
import { useToneColours } from '#console/ui/chart/toneColours.ts'
import type { ChartShade } from '#console/ui/chart/useChartShade.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { limitLevel } from '#domain/alerts/alertLimit.ts'
import type { Occurrence } from '#domain/alerts/fold/occurrences.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { StateBand } from './StateBand.tsx'

const TimelineBelow = lazyPart(
  () => import('#console/deviceParts/timeline/TimelineBelow.tsx').then((part) => part.TimelineBelow),
  { meanwhile: () => null },
)

interface Props {
  readonly alert: AlertDetails
  readonly past: AlertPast
  /** The beginning of the occurrence that is shown; undefined means the latest. */
  readonly at: string | undefined
  /** It leaves out the timeline below, where there is no room for it. */
  readonly isShort?: boolean
}

/** It draws the readings around one occurrence with the limit; of a state, when the condition was met. */
export function AlertChart(props: Props) {
  const { measurementId, created } = props.alert
  const occurrence = chosenOccurrence(props.past.occurrences, props.at) ?? {
    from: created,
    to: props.alert.closed ?? undefined,
  }
  if (measurementId === null)
    return <StateBand alert={props.alert} occurrences={props.past.occurrences} shown={occurrence} />
  return <MeasuredChart {...props} measurementId={measurementId} occurrence={occurrence} />
}

interface MeasuredProps extends Props {
  readonly measurementId: FieldId
  readonly occurrence: Occurrence
}

function MeasuredChart({ alert, past, measurementId, occurrence, isShort = false }: MeasuredProps) {
  const { deviceId } = alert
  const { result, period, asked, readings, columns, words } = useAlertReadings(alert, measurementId, occurrence)
  const navigate = useNavigate()
  const chart = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<Period>()
  const device = { id: deviceId, guid: alert.deviceGuid, modelId: alert.deviceModelId }
  const markers = useMarkers(alert)
  const spans = usePlannedDarkness(deviceId, asked)
  const endS = period.to.getTime() / 1000
  const shades = useMemo(
    (): readonly ChartShade[] => [
      { name: 'Planned dark', spans },
      {
        name: 'Active',
        tone: severityTone(alert.severityId),
        spans: past.occurrences.map(({ from, to }) => ({
          fromS: Date.parse(from) / 1000,
          toS: to === undefined ? endS : Date.parse(to) / 1000,
        })),
      },
    ],
    [spans, past.occurrences, endS, alert.severityId],
  )
  return (
    <Panel
      title={`${alert.et_field_name}, ${formatDateTime(occurrence.from)}`}
      meta={
        <>
          <span>{words}</span>
          <OccurrenceSteps alert={alert} occurrences={past.occurrences} shown={occurrence} />
        </>
      }
    >
      <AsyncView query={result} isEmpty={() => readings === undefined && columns === undefined}>
        {() => (
          <div ref={chart}>
            <LevelChart
              deviceId={deviceId}
              fieldId={measurementId}
              name={alert.et_field_name}
              unit={numberedFieldById(measurementId)?.field.unit}
              {...(readings ? { readings } : { columns, stepMinutes: 60 })}
              period={period}
              levelTone={severityTone(alert.severityId)}
              level={limitLevel({ kind: alert.kind, threshold: alert.value_dec ?? '' })}
              markers={markers}
              shades={shades}
              onMarker={({ href }) => navigate(href as Address)}
              onView={setView}
            />
            {!isShort && <TimelineBelow device={device} period={asked} shown={view ?? period} chart={chart} />}
          </div>
        )}
      </AsyncView>
    </Panel>
  )
}

function useMarkers(alert: AlertDetails): readonly ChartMarker[] {
  const colour = useToneColours()
  return useMemo(
    () =>
      [alert, ...alert.neighbours].map(
        ({ id, created, title }): ChartMarker => ({
          key: id,
          atS: Date.parse(created) / 1000,
          text: `${formatDateTime(created)} ${title}`,
          color: id === alert.id ? colour[severityTone(alert.severityId)] : colour.off,
          href: alertDetails(id),
        }),
      ),
    [alert, colour],
  )
}

interface StepsProps {
  readonly alert: AlertDetails
  readonly occurrences: readonly Occurrence[]
  readonly shown: Occurrence
}

/** It steps from one occurrence to the next, and is absent where there was only one. */
function OccurrenceSteps({ alert, occurrences, shown }: StepsProps) {
  if (alert.activeCount < 2 || occurrences.length < 2) return null
  const index = occurrences.findIndex(({ from }) => from === shown.from)
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const there = occurrences[to]
    const icon = <Icon size={16} aria-hidden />
    if (!there) {
      return (
        <ActionIcon size={24} aria-label={label} disabled>
          {icon}
        </ActionIcon>
      )
    }
    return (
      <ActionIcon
        size={24}
        aria-label={label}
        component={Link}
        to={alertDetails(alert.id, to === 0 ? undefined : there.from)}
      >
        {icon}
      </ActionIcon>
    )
  }
  return (
    <span className="alert-steps">
      {step(index + 1, 'The time before', IconChevronLeft)}
      {alert.activeCount - index} of {alert.activeCount}
      {step(index - 1, 'The next time', IconChevronRight)}
    </span>
  )
}
