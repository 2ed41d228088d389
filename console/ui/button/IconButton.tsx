import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

interface Props extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps | 'name'> {
  readonly 'aria-label': string
  readonly icon: Icon
  readonly iconSize?: number
  readonly tip?: string | undefined
}

/** It shows only an icon, so a label names it for screen readers and a tip for everybody else. */
export function IconButton({ icon: ButtonIcon, iconSize = 16, tip, ...button }: Props) {
  const drawn = (
    <ActionIcon {...button}>
      <ButtonIcon size={iconSize} aria-hidden />
    </ActionIcon>
  )
  return tip === undefined ? drawn : <Tooltip label={tip}>{drawn}</Tooltip>
}
