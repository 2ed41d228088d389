import { IconPlus } from '@tabler/icons-react'
import { type PaletteCommand, usePaletteCommands } from '#console/lib/commands/commands.ts'
import { ActionButton } from './ActionButton.tsx'

interface Props extends Omit<PaletteCommand, 'detail' | 'among' | 'refused' | 'run'> {
  readonly onClick: () => void
  /** The button's words, where they say less than the palette's. */
  readonly children?: string
}

/** It opens the form of a new record, and the palette offers the same. */
export function AddButton({ label, icon = IconPlus, onClick, children = label, ...command }: Props) {
  usePaletteCommands([{ ...command, label, icon, run: onClick }])
  return (
    <ActionButton isMain icon={icon} onClick={onClick}>
      {children}
    </ActionButton>
  )
}
