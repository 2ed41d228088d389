const TILES = 20

/** It keeps the room of the values from the first moment, because they come in one piece. */
export function TileSkeleton() {
  return (
    <div className="status-columns" role="status" aria-label="Loading">
      <div className="panel">
        <div className="tiles tiles-loading">
          {Array.from({ length: TILES }, (_, tile) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity and never move
            <i key={tile} />
          ))}
        </div>
      </div>
      <div className="panel status-lines-loading" />
    </div>
  )
}
