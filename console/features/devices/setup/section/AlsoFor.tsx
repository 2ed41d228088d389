import type { Numbered } from '../read/setupSections.ts'

interface AlsoForProps {
  readonly kind: string
  readonly others: readonly Numbered[]
  readonly chosen: readonly number[]
  readonly onChoose: (chosen: readonly number[]) => void
}

/** The same changes can go to the other displays, or sensors, of the device in one Apply. */
export function AlsoFor({ kind, others, chosen, onChoose }: AlsoForProps) {
  if (others.length === 0) return null
  return (
    <fieldset className="also-for" aria-label="Apply also to">
      <span aria-hidden>also for</span>
      {others.map(({ number }) => {
        const isChosen = chosen.includes(number)
        return (
          <button
            key={number}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? chosen.filter((one) => one !== number) : [...chosen, number])}
          >
            {kind} {number}
          </button>
        )
      })}
    </fieldset>
  )
}
