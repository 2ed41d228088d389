import { Button } from '@mantine/core'
import { IconList, IconMap2 } from '@tabler/icons-react'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'

const SHAPES = {
  map: { icon: IconMap2, words: 'Show on map' },
  list: { icon: IconList, words: 'Show as list' },
} as const

interface Props {
  readonly kind: keyof typeof SHAPES
  readonly to: Address
}

/** The list and the map share one filter, so each leads to the other. */
export function OtherShape({ kind, to }: Props) {
  const { icon: Icon, words } = SHAPES[kind]
  return (
    <Button
      component={Link}
      to={to}
      variant="default"
      className="icon-on-phone"
      aria-label={words}
      leftSection={<Icon size={16} aria-hidden />}
    >
      {words}
    </Button>
  )
}
