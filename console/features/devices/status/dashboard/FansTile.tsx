import { Sparkline } from '#console/ui/chart/Sparkline.tsx'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { joinedFans } from './tiles/fans.ts'
import { type LimitsByField, limitLabel, severityOf, worstSeverity } from './tiles/limitLabels.ts'
import { AlertMark, ChangeMark, toneOf } from './tiles/TileCard.tsx'
import { TileMenu } from './tiles/TileMenu.tsx'
import type { Measured } from './tiles/tileGroups.ts'
import { tileIcon } from './tiles/tileIcons.ts'
import { type ShownDevice, shownValueOf } from './tiles/tiles.ts'

interface Props {
  readonly measured: Measured
  readonly device: ShownDevice
  readonly limits: LimitsByField
}

/** The fans of a display are one tile, whose menu leads to each of them. */
export function FansTile({ measured, device, limits }: Props) {
  const { tile, value, target, unknownCount, all } = joinedFans(measured)
  const Icon = tileIcon(tile.icon)
  const each = all.map((fan) => `${fan.name}: ${shownValueOf(fan, device.modelId).text}`)
  const watched = all.map(({ fieldId }) => limitLabel(limits.get(fieldId))).filter(Boolean)
  const text = value ?? UNKNOWN_TEXT
  return (
    <li
      className="tile"
      data-alert={tile.alertId !== undefined || undefined}
      data-severity={toneOf(worstSeverity(all.map((fan) => severityOf(fan, limits.get(fan.fieldId)))))}
      data-unknown={value === undefined || undefined}
    >
      <TileMenu tile={tile} device={device} parts={all}>
        <ChangeMark text={text} />
        <span className="tile-name">
          <span>{tile.name}</span>
          {target && <small className="tile-target">target {target} %</small>}
          <AlertMark tile={tile} />
        </span>
        <span className="tile-value" title={[...each, ...watched].join('\n')}>
          <Icon size={14} aria-hidden />
          {text}
          {value !== undefined && <small>rpm</small>}
        </span>
        <span className="tile-past">
          <Sparkline values={tile.hourlyMeans ?? []} leastSpan={200} />
          {value !== undefined && unknownCount > 0 && <span className="tile-range">{unknownCount} unknown</span>}
        </span>
      </TileMenu>
    </li>
  )
}
