import { IconCircleCheckFilled, IconCircleDashed, IconUserOff } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import type { AppUser } from '#contract/http/people/users.ts'

const LOOKS = {
  disabled: { icon: IconUserOff, tone: 'off', word: 'Disabled' },
  pending: { icon: IconCircleDashed, tone: 'pending', word: 'No password yet' },
  active: { icon: IconCircleCheckFilled, tone: 'ok', word: 'Active' },
} as const

export function UserStateBadge({ user }: { readonly user: Pick<AppUser, 'isDisabled' | 'password'> }) {
  const state = user.isDisabled ? 'disabled' : user.password === 'pending' ? 'pending' : 'active'
  const { icon: Icon, tone, word } = LOOKS[state]
  return (
    <Badge tone={tone} icon={Icon}>
      {word}
    </Badge>
  )
}
