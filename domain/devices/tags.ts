import { isOneLine, isVisibleOrEmpty } from '../texts/nameRule.ts'

/** Free labels of a device: people find, narrow and gather devices by them. */

export const MOST_TAGS = 20
export const LONGEST_TAG = 40
/** As it may be sent: an accent may be a character of its own, and blanks around it are taken away. */
export const LONGEST_SENT_TAG = 4 * LONGEST_TAG

/** It stands between tags, in addresses and where people write several. */
const SEPARATOR = ','

/** As it is kept and shown. */
const tidied = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

export function isTag(text: string): boolean {
  const given = text.trim()
  return (
    text.isWellFormed() &&
    given !== '' &&
    isVisibleOrEmpty(given) &&
    isOneLine(given) &&
    !given.includes(SEPARATOR) &&
    tidied(text).length <= LONGEST_TAG
  )
}

/** Two tags are one where this is equal: whatever the case. */
export const tagKey = (text: string) => tidied(text).toUpperCase().toLowerCase().normalize('NFC')

/** Each once, in their order, as it was written first. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tidied(tag))
  return [...byKey.values()]
}

interface TagChange {
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

/** What a device has after a change; a tag that it had keeps its letters. */
export function changedTags(present: readonly string[], { add = [], remove = [] }: TagChange): string[] {
  const removed = new Set(remove.map(tagKey))
  return distinctTags([...present.filter((tag) => !removed.has(tagKey(tag))), ...add])
}
