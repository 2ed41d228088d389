import type { ReactNode } from 'react'
import { DeviceCommands } from '#console/features/devices/commands/DeviceCommands.tsx'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { RestartButton } from '#console/features/devices/setup/power/RestartButton.tsx'
import { WhyDark } from '#console/features/insight/darkness/WhyDark.tsx'

export function DevicePage({ children }: { readonly children: ReactNode }) {
  return (
    <DeviceScreen
      actions={
        <>
          <RestartButton />
          <WhyDark />
          <DeviceCommands />
        </>
      }
    >
      {children}
    </DeviceScreen>
  )
}
