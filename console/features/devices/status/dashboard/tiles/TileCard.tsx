import { IconClockExclamation, IconClockX } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useReadingAge } from '#console/features/devices/status/view/shownMoment.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Sparkline } from '#console/ui/chart/Sparkline.tsx'
import { severityIcon, severityTone } from '#console/ui/severityLook.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { leastSpanOf } from '#domain/catalogue/statusParts.ts'
import { rangeOf } from './dayRange.ts'
import { TileMenu } from './TileMenu.tsx'
import { nameWithin } from './tileGroups.ts'
import { tileIcon } from './tileIcons.ts'
import { type Reading, type ShownDevice, shownValueOf, type Tile } from './tiles.ts'

interface Props {
  readonly tile: Tile
  readonly target?: Tile | undefined
  readonly device: ShownDevice
  readonly isBehind: boolean
  readonly limits: string
  readonly severityId: number | undefined
}

/**
 * A tile shows name, value, and its last 24 hours with their scale. A click opens its menu (rules/display 13). The memo
 * draws it again only when it changes, because a device has a hundred of them.
 */
export const TileCard = memo(function TileCard({ tile, target, device, isBehind, limits, severityId }: Props) {
  const shown = shownValueOf(tile, device.modelId)
  const aim = target && shownValueOf(target, device.modelId)
  const Icon = tileIcon(tile.icon)
  const numbered = numberedFieldById(tile.fieldId)
  const range = rangeOf(tile)
  return (
    <li
      className="tile"
      data-alert={tile.alertId !== undefined || undefined}
      data-severity={toneOf(severityId)}
      data-unknown={!shown.isKnown || undefined}
    >
      <TileMenu tile={tile} device={device}>
        <ChangeMark text={shown.text} />
        <span className="tile-name">
          <span title={tile.name}>{nameWithin(tile)}</span>
          {aim?.isKnown && (
            <small className="tile-target" title={target?.name}>
              target {aim.text} {aim.unit}
            </small>
          )}
          <AlertMark tile={tile} />
        </span>
        <span className="tile-value" title={[shown.text, limits].filter(Boolean).join('\n')}>
          <Icon size={14} aria-hidden />
          {shown.text}
          {shown.unit && <small>{shown.unit}</small>}
        </span>
        <span className="tile-past">
          {tile.hourlyMeans && (
            <Sparkline values={tile.hourlyMeans} {...(numbered && { leastSpan: leastSpanOf(numbered) })} />
          )}
          {range && (
            <span className="tile-range" title="Lowest and highest: hours of the last day, and now">
              {range}
            </span>
          )}
        </span>
        {tile.reading?.claimedAt ? (
          <ClaimMark claimedAt={tile.reading.claimedAt} />
        ) : (
          isBehind && <TileAge reading={tile.reading} />
        )}
      </TileMenu>
    </li>
  )
})

export function AlertMark({ tile: { severityId } }: { readonly tile: Tile }) {
  if (severityId === undefined) return null
  const Icon = severityIcon(severityId, true)
  return <Icon size={13} role="img" aria-label="In alert" className="tile-alert" data-severity={toneOf(severityId)} />
}

export const toneOf = (severityId: number | undefined) =>
  severityId === undefined ? undefined : severityTone(severityId)

/** The claimed time is impossible, so the time of arrival is shown. */
function ClaimMark({ claimedAt }: { readonly claimedAt: Date }) {
  const words = `The clock of the device said ${formatDateTime(claimedAt)}`
  return (
    <span className="tile-age" title={words}>
      <IconClockX size={12} role="img" aria-label={words} />
      {formatDateTime(claimedAt)}
    </span>
  )
}

export function TileAge({ reading }: { readonly reading: Reading | undefined }) {
  const age = useReadingAge(reading?.at)
  if (!reading) return null
  return (
    <span className="tile-age" title={formatDateTime(reading.at)}>
      <IconClockExclamation size={12} role="img" aria-label="Old value" />
      {age}
    </span>
  )
}

/** It flashes once whenever the text has changed since it appeared. */
export function ChangeMark({ text }: { readonly text: string }) {
  const [seen, setSeen] = useState({ text, changes: 0 })
  if (seen.text !== text) setSeen({ text, changes: seen.changes + 1 })
  return seen.changes > 0 && <span key={seen.changes} className="tile-change" aria-hidden />
}
