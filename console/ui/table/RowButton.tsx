import { ActionIcon, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

interface Props {
  readonly name: string
  /** It completes the button's name for screen readers. */
  readonly of: string
  readonly icon: Icon
  readonly onClick: () => void
}

export function RowButton({ name, of, icon: RowIcon, onClick }: Props) {
  return (
    <Tooltip label={name}>
      <ActionIcon size={26} aria-label={`${name} ${of}`} onClick={onClick}>
        <RowIcon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
