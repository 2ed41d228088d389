import { Button } from '@mantine/core'
import { IconDeviceDesktopOff } from '@tabler/icons-react'
import { address } from '#console/router/addressText.ts'
import { Link, Redirect, useLocation } from '#console/router/Router.tsx'
import { PageNote } from '#console/ui/page/PageNote.tsx'

/** A device that never existed, is deleted, or belongs to somebody else must look the same: one sentence. */
export function DeviceNotFound() {
  const isMaintenance = useLocation().pathname.endsWith('/maintenance')
  // A maintenance page without a device leads to the list of devices (rules/addresses 9).
  if (isMaintenance) return <Redirect to={address('/devices')} />
  return (
    <PageNote
      icon={<IconDeviceDesktopOff size={36} stroke={1.4} aria-hidden />}
      title="Device not found"
      text="It does not exist, or you may not see it."
    >
      <Button variant="default" component={Link} to={address('/devices')}>
        All devices
      </Button>
    </PageNote>
  )
}
