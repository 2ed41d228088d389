import { SETTING_WORDS } from '#console/lib/audit/settingLabels.ts'
import type { Meanwhile } from './bulkOvertaken.ts'
import type { BulkKind, Comparison } from './bulkSettings.ts'
import type { BulkResult } from './sendChange.ts'

export const BULK_TITLES: Readonly<Record<BulkKind, string>> = {
  status: 'Status',
  display: 'Display settings',
  turnOff: 'Turn display(s) off',
  dayPlan: 'Brightness by time',
  ambientSensor: 'Ambient light sensor',
  addTags: 'Add tags',
  removeTags: 'Remove tags',
}

export type BulkStanding = BulkResult | { readonly kind: 'waiting' } | { readonly kind: 'running' }

export interface BulkCounts {
  readonly applied: number
  readonly queued: number
  readonly unanswered: number
  readonly failed: number
  readonly open: number
}

export function countsOf(standings: Iterable<BulkStanding>): BulkCounts {
  const counts = { applied: 0, queued: 0, unanswered: 0, failed: 0, open: 0 }
  for (const { kind } of standings) counts[kind === 'waiting' || kind === 'running' ? 'open' : kind] += 1
  return counts
}

export function countsText({ applied, queued, unanswered, failed, open }: BulkCounts, hasStopped: boolean): string {
  const parts = [
    [applied, 'applied'],
    [queued, SETTING_WORDS.queued],
    [unanswered, SETTING_WORDS.unanswered],
    [failed, 'failed'],
    [open, hasStopped ? 'not sent' : 'to go'],
  ] as const
  const present = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return present.length === 0 ? 'Nothing to do' : present.join(', ')
}

const listed = new Intl.ListFormat('en-GB')

/** It says by value what a run is about to change, before anything is sent: "Changes backlight on 12, nothing else." */
export function changesText(rows: readonly Comparison[]): string {
  const counts = new Map<string, number>()
  for (const { changes } of rows) for (const name of changes) counts.set(name, (counts.get(name) ?? 0) + 1)
  if (counts.size === 0) return 'Changes nothing.'
  return `Changes ${listed.format([...counts].map(([name, count]) => `${name} on ${count}`))}, nothing else.`
}

/** It warns where the ambient light will set the backlight again, and returns undefined elsewhere. */
export function undoneByLightText(rows: readonly Comparison[]): string | undefined {
  const count = rows.filter(({ isUndoneByLight }) => isUndoneByLight).length
  if (count === 0) return undefined
  const on = count === 1 ? 'On one of them' : `On ${count} of them`
  return `${on} automatic backlight is on: the ambient light sets the backlight again within seconds. Turn automatic backlight off first to keep a level.`
}

/** It names who has set some of the devices while the dialog was open, or returns undefined if nobody has. */
export function meanwhileText(all: readonly Meanwhile[]): string | undefined {
  if (all.length === 0) return undefined
  const who = listed.format(new Set(all.map(({ by }) => by)))
  return `${who} set ${all.length === 1 ? 'one of them' : `${all.length} of them`} while this was open. Apply sets yours over that.`
}
