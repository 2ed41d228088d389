import { Menu } from '@mantine/core'
import { IconAlertTriangle, IconChartAreaLine, IconTableRow } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { alertDetails } from '#console/alert/alertDetails.ts'
import { recordsPeriodAt, writeStatusAddress } from '#console/features/device/view/statusAddress.ts'
import { useMay } from '#console/lib/call/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Device } from '#contract/http/device.ts'
import { analyseData } from './tileLinks.ts'
import type { Tile } from './tiles.ts'

interface Props {
  readonly tile: Tile
  readonly device: Device
  /** What the tile shows. */
  readonly children: ReactNode
}

/**
 * A tile that is a button: its menu says where it leads (P2 §2), by click, right click, long press and keyboard. Every
 * entry is a link.
 */
export function TileMenu({ tile, device, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Menu position="bottom-start" width={180} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>
        <button
          type="button"
          className="tile-face"
          onContextMenu={(event) => {
            event.preventDefault()
            setIsOpen(true)
          }}
        >
          {children}
        </button>
      </Menu.Target>
      <Menu.Dropdown className="tile-menu">
        <TileMenuEntries tile={tile} device={device} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Drawn while the menu is open, so that the periods count from the moment it was opened. */
function TileMenuEntries({ tile, device }: Omit<Props, 'children'>) {
  const mayAnalyse = useMay('analytics')
  const now = new Date()
  return (
    <>
      {tile.measurement && mayAnalyse && (
        <Menu.Item
          leftSection={<IconChartAreaLine size={16} aria-hidden />}
          component={Link}
          to={address('/analytics', { data: analyseData(device, tile.measurement, now) })}
        >
          Analyse
        </Menu.Item>
      )}
      {tile.eventTypeId !== undefined && (
        <Menu.Item
          leftSection={<IconTableRow size={16} aria-hidden />}
          component={Link}
          to={address('/devices/$guid/status', {
            guid: device.guid,
            ...writeStatusAddress({ view: 'raw', eventTypeId: tile.eventTypeId, period: recordsPeriodAt(now) }),
          })}
        >
          Show raw data
        </Menu.Item>
      )}
      {tile.alertId !== undefined && (
        <Menu.Item
          leftSection={<IconAlertTriangle size={16} aria-hidden />}
          component={Link}
          to={alertDetails(tile.alertId)}
        >
          Alert details
        </Menu.Item>
      )}
    </>
  )
}
