import type { UpdateCounts } from '#contract/http/software/rollouts.ts'
import { countOf, countsText, PROGRESS_PARTS } from './rolloutLabels.ts'

interface Props {
  readonly counts: UpdateCounts
  /** It names what the progress is of, for example "Wave 2". */
  readonly name: string
}

/** One bar shows all devices by state, and its label says the same in words. */
export function UpdateProgress({ counts, name }: Props) {
  return (
    <div className="update-progress" role="img" aria-label={`${name}: ${countsText(counts)}`}>
      {PROGRESS_PARTS.map((part) => {
        const count = countOf(part, counts)
        return count > 0 && <i key={part.id} data-part={part.id} style={{ flexGrow: count }} />
      })}
    </div>
  )
}
