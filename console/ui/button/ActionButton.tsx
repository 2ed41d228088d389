import { Button, type ButtonProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

interface Props extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  readonly icon: Icon
  readonly iconSize?: number
  /** The main button of a screen is filled, and each other one has a frame. */
  readonly isMain?: boolean
}

export function ActionButton({ icon: ButtonIcon, iconSize = 16, isMain = false, ...button }: Props) {
  return (
    <Button
      {...(isMain ? {} : { variant: 'default' })}
      leftSection={<ButtonIcon size={iconSize} aria-hidden />}
      {...button}
    />
  )
}
