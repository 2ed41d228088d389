import type { Device } from '#contract/http/device.ts'
import { TileCard } from './TileCard.tsx'
import type { TileGroup } from './tiles.ts'

interface Props {
  readonly group: TileGroup
  readonly device: Device
}

export function TileGroupSection({ group: { name, anchor, tiles }, device }: Props) {
  const unknownCount = tiles.filter(({ reading }) => reading === undefined).length
  return (
    <section className="tile-group" id={anchor} aria-labelledby={`${anchor}-name`} tabIndex={-1}>
      <header>
        <h2 id={`${anchor}-name`}>{name}</h2>
        <span>
          {tiles.length} {tiles.length === 1 ? 'value' : 'values'}
          {unknownCount > 0 && `, ${unknownCount} unknown`}
        </span>
      </header>
      <ul>
        {tiles.map((tile) => (
          <TileCard key={tile.fieldId} tile={tile} device={device} />
        ))}
      </ul>
    </section>
  )
}
