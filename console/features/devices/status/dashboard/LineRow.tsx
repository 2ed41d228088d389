import { Fragment, memo } from 'react'
import { Sparkline } from '#console/ui/chart/Sparkline.tsx'
import { worstSeverity } from './tiles/limitLabels.ts'
import { AlertMark, ChangeMark, TileAge, toneOf } from './tiles/TileCard.tsx'
import { TileMenu } from './tiles/TileMenu.tsx'
import type { Line } from './tiles/tileGroups.ts'
import { type ShownDevice, shownValueOf, type Tile } from './tiles/tiles.ts'

interface RowProps {
  readonly line: Line
  readonly device: ShownDevice
  readonly isBehind: boolean
}

/** A line has a name and a value, or several that are read together. */
export function LineRow({ line: { label, tiles, joint }, device, isBehind: isOld }: RowProps) {
  const [first, ...others] = tiles
  return (
    <li
      className="line"
      data-severity={toneOf(worstSeverity(tiles.map(({ severityId }) => severityId)))}
      data-unknown={tiles.every(({ reading }) => reading === undefined) || undefined}
    >
      {others.length === 0 ? (
        <LineValue tile={first} device={device} label={label} isOld={isOld} />
      ) : (
        <>
          <span className="line-label">{label}</span>
          <JoinedValues tiles={tiles} joint={joint} device={device} />
          {isOld && <TileAge reading={first.reading} />}
        </>
      )}
    </li>
  )
}

interface JoinedProps extends Pick<Line, 'tiles' | 'joint'> {
  readonly device: ShownDevice
}

/** Values that are read together stand side by side, with one unit behind the last. */
export function JoinedValues({ tiles, joint, device }: JoinedProps) {
  // One dash says that nothing is known of any of them.
  const shown = tiles.some(({ reading }) => reading !== undefined) ? tiles : tiles.slice(0, 1)
  return (
    <span className="line-values">
      {shown.map((tile, index) => (
        <Fragment key={tile.fieldId}>
          {index > 0 && tile.reading && <i aria-hidden>{joint}</i>}
          <LineValue tile={tile} device={device} hasUnit={index === tiles.length - 1} />
        </Fragment>
      ))}
    </span>
  )
}

interface ValueProps {
  readonly tile: Tile
  readonly device: ShownDevice
  /** It is absent where the line's text suffices. */
  readonly label?: string
  readonly isOld?: boolean
  /** Only the last of several values that are read together shows the unit. */
  readonly hasUnit?: boolean
}

const LineValue = memo(function LineValue({ tile, device, label, isOld = false, hasUnit = true }: ValueProps) {
  const shown = shownValueOf(tile, device.modelId)
  return (
    <TileMenu tile={tile} device={device}>
      <ChangeMark text={shown.text} />
      {label === undefined ? (
        <span className="visually-hidden">{tile.name}</span>
      ) : (
        <span className="line-label">{label}</span>
      )}
      <AlertMark tile={tile} />
      {label !== undefined && hasMoved(tile) && <Sparkline values={tile.hourlyMeans ?? []} />}
      {isOld && <TileAge reading={tile.reading} />}
      <span className="line-value" title={shown.text}>
        {shown.text}
        {hasUnit && shown.unit && <small>{shown.unit}</small>}
      </span>
    </TileMenu>
  )
})

/** A line through values that never changed would say nothing. */
function hasMoved({ hourlyMeans }: Tile): boolean {
  const known = hourlyMeans?.filter((mean) => mean !== null) ?? []
  return known.length > 1 && Math.min(...known) !== Math.max(...known)
}
