/**
 * What the list "Needs attention" tells apart, in the order of its chips. `excused` are devices that are in maintenance
 * or out of order: somebody knows of them, so they are counted beside all others.
 */
export const ATTENTION_GROUPS = ['dark', 'silent', 'alerted', 'onBattery', 'other', 'rollout', 'excused'] as const
export type AttentionGroup = (typeof ATTENTION_GROUPS)[number]

export type AttentionCounts = Readonly<Record<AttentionGroup | 'all', number>>

interface Ranked {
  readonly group: AttentionGroup
  /** 1 is the worst. */
  readonly severityId: number
  /** Null when nobody knows, which ranks before every known beginning. */
  readonly since: Date | null
}

interface Counted {
  readonly group: AttentionGroup
  readonly deviceCount: number
}

/** A halted rollout waits for one decision, however many devices it has. */
const weightOf = ({ group, deviceCount }: Counted): number => (group === 'rollout' ? 1 : deviceCount)

/**
 * Counts the rows of each group. The sums close: all is the sum of every group but `excused`, which nobody has to mend
 * now, and each group is the sum of its rows (rules/overview 11).
 */
export function countAttention(rows: readonly Counted[]): AttentionCounts {
  const counts = Object.fromEntries(['all', ...ATTENTION_GROUPS].map((group) => [group, 0])) as Record<
    AttentionGroup | 'all',
    number
  >
  for (const row of rows) {
    counts[row.group] += weightOf(row)
    if (row.group !== 'excused') counts.all += weightOf(row)
  }
  return counts
}

const LAST = ['rollout', 'excused'] as const satisfies readonly AttentionGroup[]
const placeOf = ({ group }: Ranked): number => LAST.findIndex((one) => one === group)

/** Critical rows come first, then warnings, each the longest first; then rollouts, and at last what is excused. */
export const byUrgency = (one: Ranked, other: Ranked): number =>
  placeOf(one) - placeOf(other) ||
  one.severityId - other.severityId ||
  (one.since?.getTime() ?? 0) - (other.since?.getTime() ?? 0)

/** Whether a row is shown under a chip. */
export const isUnderChip = ({ group }: { readonly group: AttentionGroup }, chip: AttentionGroup | 'all'): boolean =>
  chip === 'all' ? group !== 'excused' : group === chip
