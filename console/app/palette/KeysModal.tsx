import { Kbd, Modal } from '@mantine/core'

interface Keys {
  readonly keys: readonly string[]
  readonly meaning: string
}

/** Every key of the console by where it counts; `docs/guide/keys.md` says the same. */
const KEYS: readonly { readonly where: string; readonly entries: readonly Keys[] }[] = [
  {
    where: 'Everywhere',
    entries: [
      { keys: ['Ctrl K', '⌘ K'], meaning: 'Search devices, pages and actions' },
      { keys: ['?'], meaning: 'This list' },
      { keys: ['Esc'], meaning: 'Close what is open' },
    ],
  },
  {
    where: 'Lists',
    entries: [
      { keys: ['↑', '↓'], meaning: 'Walk the rows' },
      { keys: ['Page Up', 'Page Down'], meaning: 'Ten rows on' },
      { keys: ['Home', 'End'], meaning: 'First and last row' },
      { keys: ['Enter'], meaning: 'Open the row' },
    ],
  },
  {
    where: 'Maps',
    entries: [
      { keys: ['←', '→', '↑', '↓'], meaning: 'Move the map' },
      { keys: ['+', '−'], meaning: 'Look closer, or from further away' },
      { keys: ['Enter'], meaning: 'Set the position to the middle (details of a device)' },
    ],
  },
  {
    where: 'Charts',
    entries: [
      { keys: ['←', '→'], meaning: 'Read the values, with Shift ten points on' },
      { keys: ['Home', 'End'], meaning: 'First and last value' },
      { keys: ['+', '−'], meaning: 'Zoom' },
      { keys: ['Page Up', 'Page Down'], meaning: 'Move along' },
      { keys: ['Esc'], meaning: 'The whole period' },
    ],
  },
]

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function KeysModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size={520}>
      <div className="keys">
        {KEYS.map(({ where, entries }) => (
          <section key={where} aria-label={where}>
            <h3>{where}</h3>
            <dl>
              {entries.map(({ keys, meaning }) => (
                <div key={meaning}>
                  <dt>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
