import { formatNumber } from '#domain/units/numbers.ts'
import { worstSeverity } from './limitLabels.ts'
import { type Measured, nameWithin } from './tileGroups.ts'
import type { Tile } from './tiles.ts'

const numbersOf = (tiles: readonly (Tile | undefined)[]) =>
  tiles.flatMap((tile) => (typeof tile?.reading?.value === 'number' ? [tile.reading.value] : []))

function spanOf(values: readonly number[]): string {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)].map((value) => formatNumber(Math.round(value)))
  return lowest === highest ? `${lowest}` : `${lowest}–${highest}`
}

const ALIKE_FROM = 0.8

/** Fans that run alike are their mean; one that stands or lags must not hide in it. */
function speedOf(speeds: readonly number[]): string {
  const isAlike = Math.min(...speeds) >= ALIKE_FROM * Math.max(...speeds)
  return isAlike ? spanOf([speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length]) : spanOf(speeds)
}

const numberIn = (name: string | undefined) => /\d+/.exec(name ?? '')?.[0] ?? ''

interface JoinedFans {
  readonly tile: Tile
  /** It is undefined while no fan is known. */
  readonly value: string | undefined
  readonly target: string | undefined
  readonly unknownCount: number
  readonly all: readonly Tile[]
}

/** Several fans are one tile: their speed now, and the mean of their last day. */
export function joinedFans({ tile, target, others = [] }: Measured): JoinedFans {
  const all = [tile, ...others.map((other) => other.tile)]
  const speeds = numbersOf(all)
  const targets = numbersOf([target, ...others.map((other) => other.target)])
  const alertId = all.find((fan) => fan.alertId !== undefined)?.alertId
  const severityId = worstSeverity(all.map((fan) => fan.severityId))
  const newest = all.flatMap(({ reading }) => reading ?? []).toSorted((a, b) => b.at.getTime() - a.at.getTime())[0]
  return {
    tile: {
      ...tile,
      name: `Fans ${numberIn(nameWithin(tile))}–${numberIn(others.at(-1) && nameWithin(others.at(-1)?.tile ?? tile))}`,
      ...(alertId !== undefined && { alertId }),
      ...(severityId !== undefined && { severityId }),
      ...(newest && { reading: newest }),
      hourlyMeans: meansOf(all),
    },
    value: speeds.length > 0 ? speedOf(speeds) : undefined,
    target: targets.length > 0 ? spanOf(targets) : undefined,
    unknownCount: all.length - speeds.length,
    all,
  }
}

function meansOf(fans: readonly Tile[]): readonly (number | null)[] {
  const hours = fans.flatMap(({ hourlyMeans }) => (hourlyMeans ? [hourlyMeans] : []))
  return (hours[0] ?? []).map((_, hour) => {
    const known = hours.flatMap((means) => means[hour] ?? [])
    return known.length === 0 ? null : known.reduce((sum, mean) => sum + mean, 0) / known.length
  })
}
