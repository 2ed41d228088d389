import { IconRefresh } from '@tabler/icons-react'
import { BusyButton } from './BusyButton.tsx'

interface Props {
  readonly isReloading: boolean
  readonly onReload: () => void
}

export function ReloadButton({ isReloading, onReload }: Props) {
  return (
    <BusyButton isBusy={isReloading} leftSection={<IconRefresh size={16} aria-hidden />} onClick={onReload}>
      Reload
    </BusyButton>
  )
}
