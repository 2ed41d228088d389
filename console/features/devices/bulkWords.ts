import type { BulkKind, BulkResult } from './bulkWish.ts'

/** What can be set on a selection, in the order of the menu. */
export const BULK_TITLES: Readonly<Record<BulkKind, string>> = {
  status: 'Status',
  display: 'Display settings',
  turnOff: 'Turn display(s) off',
  ambientSensor: 'Ambient light sensor',
}

/** How it stands with one device of a run. */
export type BulkStanding = BulkResult | { readonly kind: 'waiting' } | { readonly kind: 'running' }

export interface BulkCounts {
  readonly applied: number
  readonly queued: number
  readonly failed: number
  readonly open: number
}

export function countsOf(standings: Iterable<BulkStanding>): BulkCounts {
  const counts = { applied: 0, queued: 0, failed: 0, open: 0 }
  for (const { kind } of standings) counts[kind === 'waiting' || kind === 'running' ? 'open' : kind] += 1
  return counts
}

/** "3 applied, 1 failed": what there is none of is left out. */
export function countsText({ applied, queued, failed, open }: BulkCounts, hasStopped: boolean): string {
  const parts = [
    [applied, 'applied'],
    [queued, 'will be applied on reconnect'],
    [failed, 'failed'],
    [open, hasStopped ? 'not sent' : 'to go'],
  ] as const
  const present = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return present.length === 0 ? 'Nothing to do' : present.join(', ')
}
