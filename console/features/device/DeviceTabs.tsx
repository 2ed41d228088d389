import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMay } from '#console/lib/session.ts'
import type { Device } from '#contract/http/device.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'

/** Tabs are pages of their own, so they are links: they open in a new tab and survive a reload. */
export function DeviceTabs({ device: { guid, modelId } }: { readonly device: Device }) {
  const mayEditComponents = useMay('admin')
  const tabs = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another address
  useEffect(() => {
    tabs.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  return (
    <nav ref={tabs} className="device-tabs" aria-label="Device">
      <Link to="/devices/$guid/details" params={{ guid }}>
        Details
      </Link>
      <Link to={hasFixedSetup(modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup'} params={{ guid }}>
        Setup
      </Link>
      <Link to="/devices/$guid/status" params={{ guid }}>
        Status
      </Link>
      {mayEditComponents && (
        <Link to="/devices/$guid/device-components" params={{ guid }}>
          Components
        </Link>
      )}
      <Link to="/devices/$guid/alerts" params={{ guid }}>
        Alerts
      </Link>
      <Link to="/devices/$guid/maintenance" params={{ guid }}>
        Maintenance
      </Link>
    </nav>
  )
}
