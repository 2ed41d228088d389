import { Fragment, memo } from 'react'
import { Sparkline } from '#console/ui/chart/Sparkline.tsx'
import { GroupHead } from './tiles/GroupHead.tsx'
import { AlertMark, ChangeMark, TileAge } from './tiles/TileCard.tsx'
import { TileMenu } from './tiles/TileMenu.tsx'
import { isBehind, type Line, type StatusGroup } from './tiles/tileGroups.ts'
import { type ShownDevice, shownValueOf, type Tile } from './tiles/tiles.ts'

interface Props {
  readonly part: 'set' | 'told'
  readonly groups: readonly StatusGroup[]
  readonly device: ShownDevice
}

const TITLES = { set: 'Settings', told: 'State' } as const
const WORDS = { set: 'settings', told: 'state' } as const

export function LinesPanel({ part, groups, device }: Props) {
  const shown = groups.filter((group) => group[part].length > 0)
  if (shown.length === 0) return null
  return (
    <section className="lines-of" aria-label={TITLES[part]}>
      {shown.map((group) => {
        // Links within the page lead to the measured values where a component has any.
        const isAnchor = group.measured.length === 0 && (part === 'set' || group.set.length === 0)
        const anchor = isAnchor ? group.anchor : `${group.anchor}-${part}`
        return (
          <section
            key={anchor}
            className="panel status-group"
            id={anchor}
            aria-labelledby={`${anchor}-name`}
            tabIndex={-1}
          >
            <GroupHead id={`${anchor}-name`} group={{ ...group, name: `${group.name} ${WORDS[part]}` }} />
            <ul className="lines">
              {group[part].map((line) => (
                <LineRow
                  key={line.tiles[0].fieldId}
                  line={line}
                  device={device}
                  isBehind={line.tiles.every(({ reading }) => isBehind(reading, group.readAt))}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </section>
  )
}

interface RowProps {
  readonly line: Line
  readonly device: ShownDevice
  readonly isBehind: boolean
}

function LineRow({ line: { label, tiles, joint }, device, isBehind: isOld }: RowProps) {
  const [first, ...others] = tiles
  return (
    <li
      className="line"
      data-alert={tiles.some(({ alertId }) => alertId !== undefined) || undefined}
      data-unknown={tiles.every(({ reading }) => reading === undefined) || undefined}
    >
      {others.length === 0 ? (
        <LineValue tile={first} device={device} label={label} isOld={isOld} />
      ) : (
        <>
          <span className="line-label">{label}</span>
          <span className="line-values">
            {tiles.map((tile, index) => (
              <Fragment key={tile.fieldId}>
                {index > 0 && tile.reading && <i aria-hidden>{joint}</i>}
                <LineValue tile={tile} device={device} hasUnit={index === tiles.length - 1} />
              </Fragment>
            ))}
            {isOld && <TileAge reading={first.reading} />}
          </span>
        </>
      )}
    </li>
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
