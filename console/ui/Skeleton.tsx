import './AsyncView.css'

const WIDTHS_PERCENT = [72, 88, 64, 80, 56, 76, 68, 84]

interface SkeletonProps {
  readonly lines?: number
  /** A page that begins with it has nothing that it would push aside. */
  readonly isAtOnce?: boolean
}

export function Skeleton({ lines = 6, isAtOnce = false }: SkeletonProps) {
  const widths = Array.from({ length: lines }, (_, line) => WIDTHS_PERCENT[line % WIDTHS_PERCENT.length])
  return (
    <div className="loading-skeleton" data-at-once={isAtOnce || undefined} role="status" aria-label="Loading">
      {widths.map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity and never move
        <i key={line} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
