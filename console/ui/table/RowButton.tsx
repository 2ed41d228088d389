import type { Icon } from '@tabler/icons-react'
import { IconButton } from '#console/ui/button/IconButton.tsx'

interface Props {
  readonly name: string
  /** It completes the button's name for screen readers. */
  readonly of: string
  readonly icon: Icon
  readonly onClick: () => void
}

export function RowButton({ name, of, icon: RowIcon, onClick }: Props) {
  return <IconButton icon={RowIcon} tip={name} size={26} aria-label={`${name} ${of}`} onClick={onClick} />
}
