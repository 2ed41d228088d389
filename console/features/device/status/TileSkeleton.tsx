const TILES = 14

/** Boxes where the tiles of the first group will be; shown only when the answer takes its time. */
export function TileSkeleton() {
  return (
    <div className="tile-skeleton" role="status" aria-label="Loading">
      {Array.from({ length: TILES }, (_, tile) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no identity and never move
        <i key={tile} />
      ))}
    </div>
  )
}
