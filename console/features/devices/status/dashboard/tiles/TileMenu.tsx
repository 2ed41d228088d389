import { Menu } from '@mantine/core'
import { IconAlertTriangle, IconChartAreaLine, IconTableRow } from '@tabler/icons-react'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { useShownMoment } from '#console/features/devices/status/view/shownMoment.ts'
import { recordsPeriodAt, writeStatusAddress } from '#console/features/devices/status/view/statusAddress.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
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

/**
 * A tile is a button whose menu of links opens by click, right click, long press and keyboard (rules/display 13). The
 * menu is loaded with its first use, because a hundred unused ones would slow the page.
 */
export function TileMenu({ tile, device, parts, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [isUsed, setIsUsed] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const turn = (open: boolean) => {
    setIsUsed(true)
    setIsOpen(open)
  }
  // A field that this console does not know leads nowhere.
  if (tile.eventTypeId === undefined) return <div className="tile-face">{children}</div>
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        className="tile-face"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-dropdown` : undefined}
        onClick={() => turn(!isOpen)}
        onContextMenu={(event) => {
          event.preventDefault()
          turn(true)
        }}
      >
        {children}
      </button>
      {isUsed && (
        <MenuOf id={id} button={button} isOpen={isOpen} onChange={setIsOpen}>
          <TileMenuEntries tile={tile} device={device} parts={parts ?? [tile]} />
        </MenuOf>
      )}
    </>
  )
}

interface MenuProps {
  readonly id: string
  readonly button: RefObject<HTMLButtonElement | null>
  readonly isOpen: boolean
  readonly onChange: (isOpen: boolean) => void
  readonly children: ReactNode
}

function MenuOf({ id, button, isOpen, onChange, children }: MenuProps) {
  // A menu that exists before it opens knows where the focus was, and gives it back.
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  return (
    <Menu id={id} position="bottom-start" width={180} opened={isOpen && isThere} onChange={onChange}>
      <Menu.Target>
        <Standing button={button} />
      </Menu.Target>
      <Menu.Dropdown className="tile-menu">{children}</Menu.Dropdown>
    </Menu>
  )
}

function Standing({ button, ref }: Pick<MenuProps, 'button'> & { readonly ref?: Ref<HTMLButtonElement> }) {
  useImperativeHandle(ref, () => button.current as HTMLButtonElement)
  return null
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
