import { ActionIcon, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

interface Props {
  readonly name: string
  /** What the row is about, for those who hear the button's name alone. */
  readonly of: string
  readonly icon: Icon
  readonly onClick: () => void
}

/** A button at the end of a row. */
export function RowButton({ name, of, icon: RowIcon, onClick }: Props) {
  return (
    <Tooltip label={name}>
      <ActionIcon size={26} aria-label={`${name} ${of}`} onClick={onClick}>
        <RowIcon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
