import type { Icon } from '@tabler/icons-react'
import type { Address } from '#console/router/addressText.ts'

/** While something is typed, what is known here stands before what the server has yet to find. */
const PALETTE_GROUPS = [
  'Question',
  'This device',
  'This page',
  'Views',
  'Pages',
  'Lists',
  'Actions',
  'Filter',
  'Devices',
] as const
export type PaletteGroupName = (typeof PALETTE_GROUPS)[number]
/** Before anything is typed devices stand first, because people most often go back to a device. */
const GROUPS_AT_REST: readonly PaletteGroupName[] = ['Devices', 'This device', 'This page', 'Pages', 'Lists', 'Actions']
/** These groups were already searched by other means than their words, and keep their order. */
const FOUND_BEFORE: readonly PaletteGroupName[] = ['Question', 'Filter', 'Devices']

export interface PaletteItem {
  readonly id: string
  readonly group: PaletteGroupName
  readonly label: string
  readonly detail?: string | undefined
  readonly searchTerms?: string | undefined
  readonly icon: Icon
  readonly refused?: string | undefined
  readonly to?: Address
  readonly run: () => void
}

export interface PaletteGroup {
  readonly name: PaletteGroupName
  readonly items: readonly PaletteItem[]
}

/**
 * Filters the items by what is typed. Devices and the filter of a question were found already; any other item is found
 * when each typed word begins one of its words, ignoring case and accents. A group with an item of exactly these words
 * comes before the others, so that Enter never does something else than was said.
 */
export function paletteGroups(items: readonly PaletteItem[], typed: string): readonly PaletteGroup[] {
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return inGroups(items, GROUPS_AT_REST)
  const found = items
    .filter((item) => FOUND_BEFORE.includes(item.group) || isFound(item, wanted))
    .toSorted((one, other) => placeOf(one, wanted) - placeOf(other, wanted))
  return inGroups(found, PALETTE_GROUPS).toSorted((one, other) => rankOf(one, wanted) - rankOf(other, wanted))
}

const inGroups = (items: readonly PaletteItem[], order: readonly PaletteGroupName[]): readonly PaletteGroup[] =>
  order
    .map((name) => ({ name, items: items.filter(({ group }) => group === name) }))
    .filter((group) => group.items.length > 0)

function isFound({ label, searchTerms = '' }: PaletteItem, wanted: readonly string[]): boolean {
  const words = wordsOf(`${label} ${searchTerms}`)
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}

/** An item at this place or before it is what was said, and not only something like it. */
const LAST_EXACT_PLACE = 1

function rankOf({ name, items: [first] }: PaletteGroup, wanted: readonly string[]): number {
  if (name === 'Question' || first === undefined) return 0
  return placeOf(first, wanted) <= LAST_EXACT_PLACE ? 1 : 2
}

/** `maintenance` finds the page of that name before what begins with it, and that before a status of that name. */
function placeOf({ group, label, searchTerms = '' }: PaletteItem, wanted: readonly string[]): number {
  if (FOUND_BEFORE.includes(group)) return LAST_EXACT_PLACE + 1
  const words = wordsOf(label)
  const begins = wanted.every((part, index) => words[index]?.startsWith(part))
  if (wanted.join(' ') === words.join(' ')) return 0
  if (hasPhrase(wordsOf(searchTerms), wanted)) return 1
  if (begins) return words.length === wanted.length ? 2 : 3
  return wanted.every((part) => words.some((word) => word.startsWith(part))) ? 4 : 5
}

const hasPhrase = (words: readonly string[], wanted: readonly string[]): boolean =>
  ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `)

function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
