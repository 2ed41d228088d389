import { IconAlertTriangle, IconChartAreaLine, IconTableRow } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { useShownMoment } from '#console/features/devices/status/view/shownMoment.ts'
import { recordsPeriodAt, writeStatusAddress } from '#console/features/devices/status/view/statusAddress.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { analyseData } from './tileLinks.ts'
import type { ShownDevice, Tile } from './tiles.ts'

interface Props {
  readonly tile: Tile
  readonly device: ShownDevice
  /** Its menu leads to each of these, where a tile stands for several fields. */
  readonly parts?: readonly Tile[]
  readonly children: ReactNode
}

/** A tile is a button whose menu of links opens by click, right click, long press and keyboard (rules/display 13). */
export function TileMenu({ tile, device, parts, children }: Props) {
  // A field that this console does not know leads nowhere.
  if (tile.eventTypeId === undefined) return <div className="tile-face">{children}</div>
  return (
    <Menu position="bottom-start" width={180} opensByRightClick>
      <Menu.Target>
        <button type="button" className="tile-face">
          {children}
        </button>
      </Menu.Target>
      <Menu.Dropdown className="tile-menu">
        <TileMenuEntries tile={tile} device={device} parts={parts ?? [tile]} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** It is drawn only while the menu is open, so that the periods count from the moment it was opened. */
function TileMenuEntries({ tile, device, parts }: Required<Omit<Props, 'children'>>) {
  const mayAnalyse = useMay('analytics')
  const now = useShownMoment()?.at ?? new Date()
  return (
    <>
      {mayAnalyse &&
        parts.map(
          ({ fieldId, name, measurement }) =>
            measurement && (
              <MenuItem
                key={fieldId}
                icon={IconChartAreaLine}
                to={address('/analytics', { data: analyseData(device, measurement, now) })}
              >
                {parts.length > 1 ? `Analyse ${name}` : 'Analyse'}
              </MenuItem>
            ),
        )}
      {tile.eventTypeId !== undefined && (
        <MenuItem
          icon={IconTableRow}
          to={address('/devices/$guid/status', {
            guid: device.guid,
            ...writeStatusAddress({ view: 'raw', eventTypeId: tile.eventTypeId, period: recordsPeriodAt(now) }),
          })}
        >
          Show raw data
        </MenuItem>
      )}
      {tile.alertId !== undefined && (
        <MenuItem icon={IconAlertTriangle} to={alertDetails(tile.alertId)}>
          Alert details
        </MenuItem>
      )}
    </>
  )
}
