import { Button } from '@mantine/core'
import { IconChevronDown, IconRotateClockwise2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DeviceCommands } from '#console/features/devices/commands/DeviceCommands.tsx'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { WhyDark } from '#console/features/insight/darkness/WhyDark.tsx'
import { quiet } from '#console/lib/call/whenQuiet.ts'
import { useMay } from '#console/lib/session/session.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { upsReboot } from '#contract/http/devices/commands.ts'

// What a restart takes down is known by half of what the page of a device weighs.
const RestartButton = lazyPart(
  () =>
    quiet()
      .then(() => import('#console/features/devices/setup/power/RestartButton.tsx'))
      .then((part) => part.RestartButton),
  { meanwhile: RestartPlace },
)

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

/** It stands where the button will be, so that the others stay where they are. */
function RestartPlace() {
  const mayPower = useMay(upsReboot.permission)
  if (!mayPower) return null
  return (
    <Button
      variant="default"
      className="icon-on-phone"
      aria-label="Restart"
      leftSection={<IconRotateClockwise2 size={16} aria-hidden />}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      disabled
    >
      Restart
    </Button>
  )
}
