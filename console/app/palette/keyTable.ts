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
      { keys: ['Ctrl K', '⌘ K'], meaning: 'Search and commands', does: 'search' },
      { keys: ['/'], meaning: 'Go to the filter of the list, or search', does: 'filter' },
      { keys: ['?'], meaning: 'Show these shortcuts', does: 'keys' },
      { keys: ['Esc'], meaning: 'Close the open dialog or panel' },
    ],
  },
  {
    where: 'Go to',
    lines: NAVIGATION.flatMap(({ entries }) => entries)
      .flatMap(({ label: section, tabs }) =>
        tabs.map((tab, index) => ({ ...tab, name: index === 0 ? section : tab.label })),
      )
      .flatMap(({ path, name, key }) =>
        key === undefined ? [] : [{ keys: [GO], second: key, meaning: name, does: { goTo: path } }],
      ),
  },
  {
    where: 'Lists',
    lines: [
      { keys: ['↑', '↓'], meaning: 'Move through the rows' },
      { keys: ['Page Up', 'Page Down'], meaning: 'Move ten rows' },
      { keys: ['Home', 'End'], meaning: 'Go to the first or last row' },
      { keys: ['Enter'], meaning: 'Open the row' },
      { keys: ['Space'], meaning: 'Tick the row, where rows are selected' },
    ],
  },
  {
    where: 'Dates',
    lines: [{ keys: ['Letters', 'Numbers'], meaning: 'Type a date: 17.11. 14:00, yesterday 9:00, 3 h ago' }],
  },
  {
    where: 'Maps',
    lines: [
      { keys: ['←', '→', '↑', '↓'], meaning: 'Move the map' },
      { keys: ['+', '−'], meaning: 'Zoom in or out' },
      { keys: ['Enter'], meaning: 'Set the position to the centre (device details)' },
    ],
  },
  {
    where: 'Charts',
    lines: [
      { keys: ['←', '→'], meaning: 'Read the values; with Shift, ten at a time' },
      { keys: ['Home', 'End'], meaning: 'Go to the first or last value' },
      { keys: ['+', '−'], meaning: 'Zoom in or out' },
      { keys: ['Page Up', 'Page Down'], meaning: 'Move to an earlier or later time' },
      { keys: ['Esc'], meaning: 'Show the whole period' },
    ],
  },
]

const LINES = KEY_TABLE.flatMap(({ lines }) => lines)

export function findKeyAction(key: string, before: string | undefined): KeyAction | undefined {
  return LINES.find(({ keys, second }) =>
    second === undefined ? before === undefined && keys.includes(key) : keys[0] === before && second === key,
  )?.does
}
