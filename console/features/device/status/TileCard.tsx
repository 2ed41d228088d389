import { IconAlertTriangleFilled, IconClockExclamation } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDateTime, useAge, useOnTime } from '#console/lib/time/time.ts'
import { Sparkline } from '#console/ui/Sparkline.tsx'
import type { Device } from '#contract/http/device.ts'
import { TileMenu } from './TileMenu.tsx'
import { tileIcon } from './tileIcons.ts'
import { isStale, type Reading, shownValueOf, type Tile } from './tiles.ts'

interface Props {
  readonly tile: Tile
  readonly device: Device
}

/** One field of a component: name, value, age, and its last 24 hours (P2 §2 "Dashboard view"). A click opens its menu. */
export function TileCard({ tile, device }: Props) {
  const shown = shownValueOf(tile, device.modelId)
  const changes = useChangeCount(shown.text)
  const Icon = tileIcon(tile.icon)
  const face = (
    <>
      {changes > 0 && <span key={changes} className="tile-change" aria-hidden />}
      <span className="tile-name">
        <Icon size={14} aria-hidden />
        <span title={tile.name}>{tile.name}</span>
        {tile.alertId !== undefined && (
          <IconAlertTriangleFilled size={14} role="img" aria-label="In alert" className="tile-alert" />
        )}
      </span>
      <span className="tile-value" title={shown.text}>
        {shown.text}
        {shown.unit && <small>{shown.unit}</small>}
      </span>
      <TileAge reading={tile.reading} />
      {tile.hourlyMeans && <Sparkline values={tile.hourlyMeans} />}
    </>
  )
  return (
    <li
      className="tile"
      data-alert={tile.alertId !== undefined || undefined}
      data-unknown={!shown.isKnown || undefined}
    >
      {tile.eventTypeId === undefined ? (
        // A field that this console does not know leads nowhere.
        <div className="tile-face">{face}</div>
      ) : (
        <TileMenu tile={tile} device={device}>
          {face}
        </TileMenu>
      )}
    </li>
  )
}

function TileAge({ reading }: { readonly reading: Reading | undefined }) {
  const age = useAge(reading?.at)
  const stale = useOnTime((now) => reading !== undefined && isStale(reading, now))
  if (!reading) return <span className="tile-age">No reading yet</span>
  return (
    <span className="tile-age" data-stale={stale || undefined} title={formatDateTime(reading.at)}>
      {stale && <IconClockExclamation size={12} role="img" aria-label="Old value" />}
      {age}
    </span>
  )
}

/** How often what is shown has changed since the tile appeared; each change is highlighted once. */
function useChangeCount(text: string): number {
  const [seen, setSeen] = useState({ text, changes: 0 })
  if (seen.text === text) return seen.changes
  const next = { text, changes: seen.changes + 1 }
  setSeen(next)
  return next.changes
}
