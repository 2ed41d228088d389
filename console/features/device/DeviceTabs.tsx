import { Link } from '@tanstack/react-router'
import type { DeviceGuid } from '#domain/ids.ts'

/** Tabs are pages of their own, so they are links: they open in a new tab and survive a reload. */
export function DeviceTabs({ guid }: { readonly guid: DeviceGuid }) {
  return (
    <nav className="device-tabs" aria-label="Device">
      <Link to="/devices/$guid/details" params={{ guid }}>
        Details
      </Link>
      <Link to="/devices/$guid/status" params={{ guid }}>
        Status
      </Link>
    </nav>
  )
}
