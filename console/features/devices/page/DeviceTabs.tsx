import { useEffect, useRef } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useLocation } from '#console/router/Router.tsx'
import { applyDisplaySettings } from '#contract/http/devices/setup.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { deviceTabsOf } from './deviceTabs.ts'

interface Props {
  readonly guid: DeviceGuid
  /** It is undefined while it is not known yet; the wrong variant of Setup leads on to the right one. */
  readonly modelId: DeviceModelId | undefined
  readonly activeAlerts: number
}

/** Tabs are pages of their own, so they are links: they open in a new tab and survive a reload. */
export function DeviceTabs({ guid, modelId, activeAlerts }: Props) {
  const may = { set: useMay(applyDisplaySettings.permission), editComponents: useMay('admin') }
  const tabs = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another address
  useEffect(() => {
    // The next frame lays the page out anyway, so reading sizes there costs nothing.
    const frame = requestAnimationFrame(() =>
      tabs.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [pathname])
  return (
    <nav ref={tabs} className="device-tabs" aria-label="Device">
      {deviceTabsOf(modelId, may).map(({ label, to }) => (
        <Link key={label} to={address(to, { guid })}>
          {label}
          {label === 'Alerts' && activeAlerts > 0 && (
            <>
              {' '}
              <b title="Active alerts">{formatNumber(activeAlerts)}</b>
            </>
          )}
        </Link>
      ))}
    </nav>
  )
}
