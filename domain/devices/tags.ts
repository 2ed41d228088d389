import { isOneLine, tidied } from '../texts/nameRule.ts'

export const MOST_TAGS = 20
export const LONGEST_TAG = 40
/** The sent text may be longer, because an accent may be a character of its own, and blanks around it are removed. */
export const LONGEST_SENT_TAG = 4 * LONGEST_TAG

/** It separates tags in addresses and in input fields. */
const SEPARATOR = ','

const kept = (text: string) => tidied(text.normalize('NFC')).replaceAll(/\s+/g, ' ')

/** A tag must fulfil this beyond being a name. */
export const fitsTag = (text: string) => !text.includes(SEPARATOR) && kept(text).length <= LONGEST_TAG

export function isTag(text: string): boolean {
  const given = tidied(text)
  return given !== '' && given.isWellFormed() && isOneLine(given) && fitsTag(given)
}

/** Tags with the same key are the same tag, regardless of case. */
export const tagKey = (text: string) => kept(text).toUpperCase().toLowerCase().normalize('NFC')

/** Returns each tag once, in order and as it was first written. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), kept(tag))
  return [...byKey.values()]
}

interface TagChange {
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

export function changedTags(present: readonly string[], { add = [], remove = [] }: TagChange): string[] {
  const removed = new Set(remove.map(tagKey))
  return distinctTags([...present.filter((tag) => !removed.has(tagKey(tag))), ...add])
}
