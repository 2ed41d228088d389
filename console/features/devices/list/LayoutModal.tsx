import { ActionIcon, Button, Checkbox, Modal, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DEVICE_COLUMNS, type DeviceColumn } from '#contract/call/listOptions.ts'
import { columnOf } from './deviceColumns.tsx'
import { DEFAULT_LAYOUT, type ListLayout } from './useListLayout.ts'

interface Props {
  readonly layout: ListLayout
  readonly onChange: (layout: ListLayout) => void
}

/** Which columns the list has, in which order, and how high its rows are. */
export function LayoutModal({ layout, onChange, onClose }: Props & { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Columns" size={340}>
      <Columns layout={layout} onChange={onChange} />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Density"
        value={layout.isCompact ? 'compact' : 'comfortable'}
        onChange={(density) => onChange({ ...layout, isCompact: density === 'compact' })}
        data={[
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      <Button fullWidth mt={8} variant="default" size="compact-sm" onClick={() => onChange(DEFAULT_LAYOUT)}>
        Reset to default
      </Button>
    </Modal>
  )
}

function Columns({ layout, onChange }: Props) {
  const { columns } = layout
  const show = (words: readonly DeviceColumn[]) => onChange({ ...layout, columns: words })
  return (
    <ul className="column-choices">
      {[...columns, ...DEVICE_COLUMNS.filter((word) => !columns.includes(word))].map((word) => {
        const at = columns.indexOf(word)
        const { header } = columnOf(word)
        return (
          <li key={word}>
            <Checkbox
              size="xs"
              label={header}
              checked={at >= 0}
              // A row without a name could not be recognised.
              disabled={word === 'name'}
              onChange={() => show(at >= 0 ? columns.filter((one) => one !== word) : [...columns, word])}
            />
            {at >= 0 && (
              <span>
                <Move label={`Move ${header} up`} isOff={at === 0} onClick={() => show(swapped(columns, at, at - 1))}>
                  <IconArrowUp size={14} aria-hidden />
                </Move>
                <Move
                  label={`Move ${header} down`}
                  isOff={at === columns.length - 1}
                  onClick={() => show(swapped(columns, at, at + 1))}
                >
                  <IconArrowDown size={14} aria-hidden />
                </Move>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface MoveProps {
  readonly label: string
  readonly isOff: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Move({ label, isOff, onClick, children }: MoveProps) {
  return (
    <ActionIcon variant="subtle" size={24} aria-label={label} disabled={isOff} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}

function swapped(words: readonly DeviceColumn[], one: number, other: number): readonly DeviceColumn[] {
  const moved = [...words]
  const [first, second] = [moved[one], moved[other]]
  if (first === undefined || second === undefined) return words
  moved[one] = second
  moved[other] = first
  return moved
}
