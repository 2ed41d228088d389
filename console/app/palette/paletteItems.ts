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
/** These groups were already searched by other means than their words. */
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
 * when each typed word begins one of its words, ignoring case and accents. Items that begin with the words come first,
 * and those found only by their further words last.
 */
export function paletteGroups(items: readonly PaletteItem[], typed: string): readonly PaletteGroup[] {
  const wanted = wordsOf(typed)
  const order = wanted.length === 0 ? GROUPS_AT_REST : PALETTE_GROUPS
  return order
    .map((name) => ({
      name,
      items: FOUND_BEFORE.includes(name)
        ? items.filter(({ group }) => group === name)
        : items
            .filter((item) => item.group === name && isFound(item, wanted))
            .toSorted((one, other) => placeOf(one, wanted) - placeOf(other, wanted)),
    }))
    .filter((group) => group.items.length > 0)
}

function isFound({ label, searchTerms = '' }: PaletteItem, wanted: readonly string[]): boolean {
  const words = wordsOf(`${label} ${searchTerms}`)
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}

/** `maintenance` finds the page of that name before what begins with it, and that before a status of that name. */
function placeOf({ label }: PaletteItem, wanted: readonly string[]): number {
  const words = wordsOf(label)
  if (wanted.length === words.length && wanted.every((part, index) => words[index]?.startsWith(part))) return -1
  if (wanted.every((part, index) => words[index]?.startsWith(part))) return 0
  return wanted.every((part) => words.some((word) => word.startsWith(part))) ? 1 : 2
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
