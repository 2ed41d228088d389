import { DarknessButton } from '#console/features/darkness/DarknessButton.tsx'
import { DeviceScreen } from '#console/features/device/DeviceScreen.tsx'
import { CommandsButton } from '#console/features/deviceCommands/CommandsButton.tsx'
import { RestartButton } from '#console/features/deviceSetup/power/RestartButton.tsx'

/** The page of a device, with what other features put into its header. */
export function DevicePage() {
  return (
    <DeviceScreen
      actions={
        <>
          <DarknessButton />
          <RestartButton />
          <CommandsButton />
        </>
      }
    />
  )
}
