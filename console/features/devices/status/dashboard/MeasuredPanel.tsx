import { FansTile } from './FansTile.tsx'
import { LineRow } from './LineRow.tsx'
import { GroupHead } from './tiles/GroupHead.tsx'
import { foldedText, outOfRange } from './tiles/groupRange.ts'
import type { LimitsByField } from './tiles/limitLabels.ts'
import { limitLabel, severityOf, worstSeverity } from './tiles/limitLabels.ts'
import { TileCard, toneOf } from './tiles/TileCard.tsx'
import { isBehind, type StatusGroup } from './tiles/tileGroups.ts'
import type { ShownDevice } from './tiles/tiles.ts'
import { useOpenGroups } from './useOpenGroups.ts'

interface Props {
  readonly groups: readonly StatusGroup[]
  readonly device: ShownDevice
  readonly limits: LimitsByField
}

/** Each component can be folded; those that are out of range come first, the worst before the others. */
export function MeasuredPanel({ groups, device, limits }: Props) {
  const judged = groups
    .map((group) => ({ group, out: outOfRange(group, limits) }))
    .map((one) => ({
      ...one,
      isOut: one.out.length > 0,
      severityId: worstSeverity(one.out.map((tile) => severityOf(tile, limits.get(tile.fieldId)))),
    }))
    .toSorted((a, b) => (a.severityId ?? Number.MAX_VALUE) - (b.severityId ?? Number.MAX_VALUE))
  const { isOpen, fold } = useOpenGroups(judged)
  if (judged.length === 0) return null
  return (
    <section className="panel measured" aria-label="Measured">
      {judged.map((one) => (
        <section key={one.group.anchor} className="status-group" aria-labelledby={`${one.group.anchor}-name`}>
          <GroupHead
            group={one.group}
            isOpen={isOpen(one)}
            onFold={() => fold(one)}
            isOut={one.isOut}
            tone={toneOf(one.severityId)}
            text={foldedText(one.group, one.out, device)}
          />
          {isOpen(one) && <GroupBody group={one.group} device={device} limits={limits} />}
        </section>
      ))}
    </section>
  )
}

/** What a display is set to and says of itself stands in the table beside. */
function GroupBody({ group, device, limits }: Pick<Props, 'device' | 'limits'> & { readonly group: StatusGroup }) {
  const lines = group.isDisplay ? [] : [...group.set, ...group.told]
  return (
    <>
      {group.measured.length > 0 && (
        <ul className="tiles">
          {group.measured.map((measured) => {
            const { tile, target, others } = measured
            return others ? (
              <FansTile key={tile.fieldId} measured={measured} device={device} limits={limits} />
            ) : (
              <TileCard
                key={tile.fieldId}
                tile={tile}
                target={target}
                device={device}
                isBehind={isBehind(tile.reading, group.readAt)}
                limits={limitLabel(limits.get(tile.fieldId))}
                severityId={severityOf(tile, limits.get(tile.fieldId))}
              />
            )
          })}
        </ul>
      )}
      {lines.length > 0 && (
        <ul className="lines">
          {lines.map((line) => (
            <LineRow
              key={line.tiles[0].fieldId}
              line={line}
              device={device}
              isBehind={line.tiles.every(({ reading }) => isBehind(reading, group.readAt))}
            />
          ))}
        </ul>
      )}
    </>
  )
}
