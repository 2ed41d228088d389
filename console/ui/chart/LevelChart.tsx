import { useMemo, useState } from 'react'
import { formatMinute } from '#console/lib/time/time.ts'
import type { Period } from '#console/ui/filter/period.ts'
import type { DeviceColumns } from '#contract/http/insight/analytics.ts'
import type { StepMinutes } from '#domain/analytics/step.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { TimeChart } from './laterChart.ts'
import type { ChartMarker } from './markers.ts'
import { chartDataOf } from './series/chartData.ts'
import { type ChartSeries, LEVEL_DASH } from './series/chartSeries.ts'
import { useToneColours } from './toneColours.ts'
import type { OnMarker } from './useChartMarkers.ts'
import type { ChartShade } from './useChartShade.ts'

interface Props {
  readonly deviceId: DeviceId
  readonly fieldId: FieldId
  readonly name: string
  readonly unit: string | undefined
  /** The means of this one device, or single readings; undefined where it reported nothing. */
  readonly columns?: DeviceColumns | undefined
  readonly stepMinutes?: StepMinutes
  readonly readings?: Readings
  readonly period: Period
  /** The readings are compared with it; undefined while it is unknown. */
  readonly level: number | undefined
  /** The severity of what happens beyond it. */
  readonly levelTone?: 'crit' | 'warn' | 'brand' | undefined
  readonly markers?: readonly ChartMarker[]
  readonly onMarker?: OnMarker
  readonly shades?: readonly ChartShade[]
  /** It receives the visible part; undefined means the whole period again. */
  readonly onView?: (part: Period | undefined) => void
}

/** Device times are in milliseconds since 1970, rising. */
interface Readings {
  readonly timesMs: readonly number[]
  readonly values: readonly number[]
}

/** A device that was silent for this long was not measuring, so no line crosses the gap. */
const SILENCE_S = 30 * 60

export function LevelChart(props: Props) {
  const {
    deviceId,
    fieldId,
    name,
    unit,
    columns,
    stepMinutes = 60,
    readings: raw,
    period,
    level,
    levelTone = 'crit',
  } = props
  const colours = useToneColours()
  // Readings are in the colour of the brand.
  const levelColour = colours[levelTone === 'brand' ? 'off' : levelTone]
  const [zoom, setZoom] = useState<Period>()
  const view = (part: Period | undefined) => {
    setZoom(part)
    props.onView?.(part)
  }
  const { timesS, readings } = useMemo(() => {
    if (raw) return readingsWithGaps(raw)
    const data = chartDataOf([{ deviceId, metricId: fieldId }], new Map([[deviceId, columns]]), stepMinutes)
    return { timesS: data.timesS, readings: data.series[0] ?? { values: [] } }
  }, [deviceId, fieldId, columns, stepMinutes, raw])
  const series = useMemo(() => {
    const line: ChartSeries = { key: 'readings', name, unit, color: colours.brand, axis: 'left', ...readings }
    if (level === undefined) return [line]
    const values = timesS.map(() => level)
    return [
      line,
      {
        key: 'level',
        name: 'Threshold',
        unit,
        color: levelColour,
        axis: 'left',
        values,
        isLevel: true,
        dash: LEVEL_DASH,
      },
    ]
  }, [name, unit, colours, levelColour, readings, timesS, level]) satisfies readonly ChartSeries[]

  return (
    <TimeChart
      markers={props.markers}
      onMarker={props.onMarker}
      shades={props.shades}
      timesS={timesS}
      series={series}
      shown={zoom ?? period}
      whole={period}
      fits
      summary={`${name} from ${formatMinute(period.from)} to ${formatMinute(period.to)}${thresholdLabel(level, unit)}`}
      onZoom={view}
      onZoomOut={() => view(undefined)}
    />
  )
}

/** One moment after the last one before a silence is enough to break the line there. */
function readingsWithGaps({ timesMs, values }: Readings) {
  const timesS: number[] = []
  const laid: (number | null)[] = []
  timesMs.forEach((timeMs, index) => {
    const timeS = timeMs / 1000
    const last = timesS.at(-1)
    if (last !== undefined && timeS - last > SILENCE_S) {
      timesS.push(last + 1)
      laid.push(null)
    }
    timesS.push(timeS)
    laid.push(values[index] ?? null)
  })
  return { timesS, readings: { values: laid } }
}

function thresholdLabel(level: number | undefined, unit: string | undefined): string {
  if (level === undefined) return ''
  return `, threshold ${formatNumber(level)}${unit ? ` ${unit}` : ''}`
}
