import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'

interface Props {
  readonly isReloading: boolean
  readonly onReload: () => void
}

export function ReloadButton({ isReloading, onReload }: Props) {
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={isReloading}
      onClick={onReload}
    >
      Reload
    </Button>
  )
}
