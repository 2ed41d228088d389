import type { CSSProperties } from 'react'
import { GroupHead } from './tiles/GroupHead.tsx'
import type { LimitsByField } from './tiles/limitLabels.ts'
import { isBeyondLimits, limitLabel } from './tiles/limitLabels.ts'
import { TileCard } from './tiles/TileCard.tsx'
import { isBehind, type StatusGroup } from './tiles/tileGroups.ts'
import type { ShownDevice } from './tiles/tiles.ts'

interface Props {
  readonly groups: readonly StatusGroup[]
  readonly device: ShownDevice
  readonly limits: LimitsByField
}

export function MeasuredPanel({ groups, device, limits }: Props) {
  const shown = groups.filter(({ measured }) => measured.length > 0)
  if (shown.length === 0) return null
  return (
    <section className="panel measured" aria-label="Measured">
      {shown.map((group) => (
        <section
          key={group.anchor}
          className="status-group"
          id={group.anchor}
          aria-labelledby={`${group.anchor}-name`}
          tabIndex={-1}
          style={{ '--tile-count': group.measured.length } as CSSProperties}
        >
          <GroupHead id={`${group.anchor}-name`} group={group} />
          <ul className="tiles">
            {group.measured.map(({ tile, target }) => (
              <TileCard
                key={tile.fieldId}
                tile={tile}
                target={target}
                device={device}
                isBehind={isBehind(tile.reading, group.readAt)}
                limits={limitLabel(limits.get(tile.fieldId))}
                isBeyond={isBeyondLimits(tile, limits.get(tile.fieldId))}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
