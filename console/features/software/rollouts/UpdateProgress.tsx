import type { UpdateCounts } from '#contract/http/software/rollouts.ts'
import { countOf, countsText, PROGRESS_PARTS } from './rolloutLabels.ts'

interface Props {
  readonly counts: UpdateCounts
  readonly name: string
}

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
