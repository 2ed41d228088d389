const TILES = 20

/** Where the measured values and the lines beside them will be; there from the first moment, as they come in one piece. */
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
