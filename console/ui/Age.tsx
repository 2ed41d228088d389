import { formatDateTime, useAge } from '#console/lib/time/time.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface AgeProps {
  /** The moment comes from the wire or from the program; null and absent are unknown. */
  readonly at: string | Date | null | undefined
}

/** The age ("12 s ago") grows and so stays true. The exact time is its tooltip. */
export function Age({ at }: AgeProps) {
  const age = useAge(at)
  if (!at || age === undefined) return <span className="dim">{UNKNOWN_TEXT}</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {age}
    </time>
  )
}
