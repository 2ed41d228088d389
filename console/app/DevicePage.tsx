import type { ReactNode } from 'react'
import { CommandsButton } from '#console/features/devices/commands/CommandsButton.tsx'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { RestartButton } from '#console/features/devices/setup/power/RestartButton.tsx'
import { DarknessButton } from '#console/features/insight/darkness/DarknessButton.tsx'

export function DevicePage({ children }: { readonly children: ReactNode }) {
  return (
    <DeviceScreen
      actions={
        <>
          <DarknessButton />
          <RestartButton />
          <CommandsButton />
        </>
      }
    >
      {children}
    </DeviceScreen>
  )
}
