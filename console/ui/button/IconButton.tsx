import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { Hint } from '#console/ui/plain/Hint.tsx'

type Named =
  | { readonly tip: string; readonly 'aria-label'?: string }
  | { readonly tip?: undefined; readonly 'aria-label': string }

type Props = Named &
  ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps | 'aria-label'> & {
    readonly icon: Icon
    readonly iconSize?: number
    /** It stands beside framed buttons or fields, and is as high as they are. */
    readonly hasFrame?: boolean
  }

/** It shows only an icon, so it has a tip, a name for screen readers, or both where the tip does not say enough. */
export function IconButton({ icon: ButtonIcon, iconSize = 16, tip, hasFrame = false, ...button }: Props) {
  const drawn = (
    <ActionIcon {...(hasFrame && { variant: 'default', size: 30 })} aria-label={tip} {...button}>
      <ButtonIcon size={iconSize} aria-hidden />
    </ActionIcon>
  )
  return tip === undefined ? drawn : <Hint label={tip}>{drawn}</Hint>
}
