import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { type AlertDetails, getAlertHistory } from '#contract/http/alerting/alerts.ts'
import { type Occurrence, occurrencesOf } from '#domain/alerts/fold/occurrences.ts'

type Entry = AlertDetails['history'][number]

export interface AlertPast {
  readonly entries: readonly Entry[]
  readonly occurrences: readonly Occurrence[]
  /** It loads older entries; it is undefined when there are none or while they load. */
  readonly readOlder: (() => void) | undefined
}

const OLDER_AT_ONCE = 500
const NONE: readonly Entry[] = []

/** The newest history and occurrences come with the alert, older pages on request. */
export function useAlertPast({ id, history, olderHistory }: AlertDetails): AlertPast {
  const [older, setOlder] = useState<{ readonly entries: readonly Entry[]; readonly next: string | null }>()
  const [asked, setRequested] = useState<string>()
  const page = useCall(
    getAlertHistory,
    { id, pageSize: OLDER_AT_ONCE, next: asked },
    { enabled: asked !== undefined, freshMs: Number.POSITIVE_INFINITY },
  )
  if (asked !== undefined && page.data && !page.isPlaceholderData) {
    const { rows, next } = page.data
    setOlder((before) => ({ entries: [...(before?.entries ?? NONE), ...rows], next }))
    setRequested(undefined)
  }
  // New entries move the border between the two pages, so an entry may come twice.
  const newest = new Set(history.map((entry) => entry.id))
  const entries = [...history.toReversed(), ...(older?.entries ?? NONE).filter((entry) => !newest.has(entry.id))]
  const next = older ? older.next : olderHistory
  return {
    entries,
    occurrences: occurrencesOf(entries.toReversed()),
    readOlder: next === null || asked !== undefined ? undefined : () => setRequested(next),
  }
}

export function chosenOccurrence(occurrences: readonly Occurrence[], at: string | undefined): Occurrence | undefined {
  return occurrences.find(({ from }) => at !== undefined && Date.parse(from) === Date.parse(at)) ?? occurrences[0]
}
