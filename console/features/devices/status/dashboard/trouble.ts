import type { Device } from '#contract/http/devices/devices.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { CONNECTION_STATUS } from '#domain/devices/status.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { heatFact, powerFact, type Tone } from './health.ts'
import { type LimitsByField, severityBeyond } from './tiles/limitLabels.ts'
import type { Tile, TileMeasurement } from './tiles/tiles.ts'

export interface Trouble {
  readonly kind: 'dark' | 'silent' | 'heat' | 'battery' | 'alert'
  /** It is absent where the alert says it in its own words. */
  readonly title?: string
  readonly reasons: readonly string[]
  /** It is absent where the alert's own severity decides. */
  readonly tone?: Tone
  readonly measurement?: TileMeasurement | undefined
}

type JudgedDevice = Pick<
  Device,
  'wrong' | 'connStatusId' | 'lastEvent' | 'light' | 'lightCause' | 'isOnBattery' | 'activeAlerts'
>

/** It returns the worst of what is wrong now, or undefined. */
export function troubleOf(device: JudgedDevice, tiles: readonly Tile[], limits: LimitsByField): Trouble | undefined {
  // The other values of a device that is offline are of before, so they say nothing of now.
  if (device.connStatusId === CONNECTION_STATUS.offline) return silence(device)
  if (device.light === 'unplanned') {
    return { kind: 'dark', title: device.lightCause ?? 'The display is dark against its plan.', reasons: [] }
  }
  const heat = hotDisplay(tiles, limits)
  if (heat) return heat
  if (device.isOnBattery === true) {
    return { kind: 'battery', title: 'Running on battery', reasons: [powerFact(device, tiles).detail].filter(Boolean) }
  }
  return device.activeAlerts > 0 ? { kind: 'alert', reasons: [] } : undefined
}

/** What has never reported is not silent: it is not connected yet. */
function silence({ wrong, lastEvent }: JudgedDevice): Trouble | undefined {
  if (lastEvent === null) return undefined
  return {
    kind: 'silent',
    title: wrong === 'silent' ? 'Not reporting' : 'Offline',
    reasons: ['The values below are from the last report'],
  }
}

const isInside = ({ fieldId }: Tile) => {
  const numbered = numberedFieldById(fieldId)
  return numbered?.type.topic === 'display' && numbered.field.name === 'internal_temp'
}

const nameOfDisplay = ({ fieldId }: Tile) => numberedFieldById(fieldId)?.groupName ?? 'Display'

function hotDisplay(tiles: readonly Tile[], limits: LimitsByField): Trouble | undefined {
  const { tone, value, detail, tile } = heatFact(tiles, limits)
  if (!tile || !isInside(tile) || severityBeyond(tile, limits.get(tile.fieldId)) === undefined) return undefined
  const others = tiles.filter(
    (other) => other !== tile && isInside(other) && severityBeyond(other, limits.get(other.fieldId)) !== undefined,
  )
  return {
    kind: 'heat',
    tone,
    title: `${nameOfDisplay(tile)} is too hot: ${value} °C, ${detail.replace('the limit', 'its limit')}`,
    reasons: [
      ...(others.length > 0 ? [`Also above the limit: ${others.map(nameOfDisplay).join(', ')}`] : []),
      ...intakeOf(tile, tiles),
    ],
    measurement: tile.measurement,
  }
}

/** Cool air that goes in says that the filter or a fan is the likely cause. */
function intakeOf(hot: Tile, tiles: readonly Tile[]): readonly string[] {
  const number = numberedFieldById(hot.fieldId)?.number
  const intake = tiles.find(({ fieldId }) => {
    const numbered = numberedFieldById(fieldId)
    return numbered?.type.topic === 'display' && numbered.field.name === 'intake_temp' && numbered.number === number
  })?.reading?.value
  return typeof intake === 'number' ? [`Intake air is ${formatNumber(intake)} °C`] : []
}
