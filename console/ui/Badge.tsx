import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './Badge.css'

export interface BadgeLook {
  readonly tone: 'ok' | 'pending' | 'warn' | 'crit' | 'off' | 'brand'
  readonly icon: Icon
}

interface Props extends Pick<BadgeLook, 'tone'>, Partial<Pick<BadgeLook, 'icon'>> {
  readonly iconSize?: number
  readonly title?: string | undefined
  readonly children: ReactNode
}

export function Badge({ tone, icon: BadgeIcon, iconSize = 15, title, children }: Props) {
  return (
    <span className={`badge badge-${tone}`} title={title}>
      {BadgeIcon && <BadgeIcon size={iconSize} aria-hidden />}
      {children}
    </span>
  )
}
