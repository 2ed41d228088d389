import { NAVIGATION, type PlainPath } from '#console/app/navigation/navigation.ts'

/** These keys act from anywhere. The other keys act where the focus is, and are only listed. */
export type KeyAction = 'search' | 'keys' | 'filter' | { readonly goTo: PlainPath }

export interface KeyLine {
  readonly keys: readonly string[]
  /** The key that is pressed after one of `keys`. */
  readonly second?: string
  readonly meaning: string
  readonly does?: KeyAction
}

export interface KeyGroup {
  readonly where: string
  readonly lines: readonly KeyLine[]
}

export const GO = 'g'

/** Every key stands here by where it acts, for the handler, the list behind `?` and `docs/guide/operate/keys.md`. */
export const KEY_TABLE: readonly KeyGroup[] = [
  {
    where: 'Everywhere',
    lines: [
      { keys: ['Ctrl K', '⌘ K'], meaning: 'Search and ask', does: 'search' },
      { keys: ['/'], meaning: 'Filter of the list, or the search', does: 'filter' },
      { keys: ['?'], meaning: 'This list', does: 'keys' },
      { keys: ['Esc'], meaning: 'Close the open dialog or panel' },
    ],
  },
  {
    where: 'Go to',
    lines: NAVIGATION.flatMap(({ entries }) => entries).flatMap(({ path, label, key }) =>
      key === undefined ? [] : [{ keys: [GO], second: key, meaning: label, does: { goTo: path } }],
    ),
  },
  {
    where: 'Lists',
    lines: [
      { keys: ['↑', '↓'], meaning: 'Move through the rows' },
      { keys: ['Page Up', 'Page Down'], meaning: 'Ten rows on' },
      { keys: ['Home', 'End'], meaning: 'First and last row' },
      { keys: ['Enter'], meaning: 'Open the row' },
    ],
  },
  {
    where: 'Dates',
    lines: [{ keys: ['Letters', 'Numbers'], meaning: 'Type the moment: 17.11. 14:00, yesterday 9:00, 3 h ago' }],
  },
  {
    where: 'Maps',
    lines: [
      { keys: ['←', '→', '↑', '↓'], meaning: 'Move the map' },
      { keys: ['+', '−'], meaning: 'Zoom in or out' },
      { keys: ['Enter'], meaning: 'Set the position to the middle (details of a device)' },
    ],
  },
  {
    where: 'Charts',
    lines: [
      { keys: ['←', '→'], meaning: 'Read the values, with Shift ten points on' },
      { keys: ['Home', 'End'], meaning: 'First and last value' },
      { keys: ['+', '−'], meaning: 'Zoom' },
      { keys: ['Page Up', 'Page Down'], meaning: 'Move along' },
      { keys: ['Esc'], meaning: 'The whole period' },
    ],
  },
]

const LINES = KEY_TABLE.flatMap(({ lines }) => lines)

export function findKeyAction(key: string, before: string | undefined): KeyAction | undefined {
  return LINES.find(({ keys, second }) =>
    second === undefined ? before === undefined && keys.includes(key) : keys[0] === before && second === key,
  )?.does
}
