import { useState } from 'react'
import type { Given } from './addressText.ts'

/** A longer value would only push the sentence out of sight. */
const LONGEST_SHOWN = 40

/**
 * It words the parameters of an address that the page could not read, because a filter that silently loses a part shows
 * more than was requested.
 *
 * @param names the parameters that the page reads; it ignores others
 * @param read the values read, by the same names
 */
export function unreadParameters(given: Given, names: readonly string[], read: object): readonly string[] {
  return names
    .filter((name) => isGiven(given[name]) && !isGiven((read as Given)[name]))
    .map((name) => `${name} “${shown(given[name])}”`)
}

export const REVERSED_PERIOD = 'a period that ends before it begins'

export function isReversed({ dateFrom, dateTo }: { readonly dateFrom?: unknown; readonly dateTo?: unknown }): boolean {
  const [from, to] = [dateFrom, dateTo].map((end) => (typeof end === 'string' ? Date.parse(end) : Number.NaN))
  return from !== undefined && to !== undefined && from >= to
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/**
 * It keeps the sentence about unread parameters on the screen: pages rewrite their address as soon as they have read
 * it, and the sentence would be gone before anybody saw it.
 */
export function useUnread(unread: readonly string[]): {
  readonly unread: readonly string[]
  readonly leave: () => void
} {
  const key = unread.join()
  const [note, setNote] = useState({ key, unread, isClosed: false })
  if (unread.length > 0 && key !== note.key) setNote({ key, unread, isClosed: false })
  return { unread: note.isClosed ? [] : note.unread, leave: () => setNote({ ...note, isClosed: true }) }
}
