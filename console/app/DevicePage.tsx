import type { ReactNode } from 'react'
import { CommandsDrawer } from '#console/features/devices/commands/CommandsDrawer.tsx'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { RestartButton } from '#console/features/devices/setup/power/RestartButton.tsx'
import { DarknessDrawer } from '#console/features/insight/darkness/DarknessDrawer.tsx'

export function DevicePage({ children }: { readonly children: ReactNode }) {
  return (
    <DeviceScreen
      actions={
        <>
          <RestartButton />
          <DarknessDrawer />
          <CommandsDrawer />
        </>
      }
    >
      {children}
    </DeviceScreen>
  )
}
