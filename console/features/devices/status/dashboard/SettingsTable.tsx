import { useShownMoment } from '#console/features/devices/status/view/shownMoment.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { applyDisplaySettings } from '#contract/http/devices/setup.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { JoinedValues } from './LineRow.tsx'
import { worstSeverity } from './tiles/limitLabels.ts'
import { TileAge, toneOf } from './tiles/TileCard.tsx'
import { isBehind, type Line, type StatusGroup } from './tiles/tileGroups.ts'
import type { ShownDevice } from './tiles/tiles.ts'

interface Props {
  readonly groups: readonly StatusGroup[]
  readonly device: ShownDevice
}

const linesOf = ({ set, told }: StatusGroup): readonly Line[] => [...set, ...told]

/** What displays are set to and say of themselves: a column a display, so that they can be compared. */
export function SettingsTable({ groups, device }: Props) {
  const displays = groups.filter((group) => group.isDisplay && linesOf(group).length > 0)
  const labels = [...new Set(displays.flatMap((display) => linesOf(display).map(({ label }) => label)))]
  if (labels.length === 0) return null
  return (
    <Panel title="Settings and states" meta={<SetupLink device={device} />}>
      <div className="settings-scroll">
        <table className="settings-table">
          <thead>
            <tr>
              <td />
              {displays.map(({ anchor, name }) => (
                <th key={anchor} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label) => (
              <tr key={label} className="line">
                <th scope="row">{label}</th>
                {displays.map((display) => (
                  <SettingsCell key={display.anchor} display={display} label={label} device={device} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

interface CellProps {
  readonly display: StatusGroup
  readonly label: string
  readonly device: ShownDevice
}

function SettingsCell({ display, label, device }: CellProps) {
  const line = linesOf(display).find((one) => one.label === label)
  if (!line) return <td className="dim">{UNKNOWN_TEXT}</td>
  const { tiles, joint } = line
  return (
    <td
      data-severity={toneOf(worstSeverity(tiles.map(({ severityId }) => severityId)))}
      data-unknown={tiles.every(({ reading }) => reading === undefined) || undefined}
    >
      <JoinedValues tiles={tiles} joint={joint} device={device} />
      {tiles.every(({ reading }) => isBehind(reading, display.readAt)) && <TileAge reading={tiles[0].reading} />}
    </td>
  )
}

function SetupLink({ device: { guid, modelId } }: Pick<Props, 'device'>) {
  const maySet = useMay(applyDisplaySettings.permission)
  const isPast = useShownMoment() !== undefined
  if (!maySet || isPast) return null
  return (
    <Link to={address(hasFixedSetup(modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup', { guid })}>
      Change in Setup
    </Link>
  )
}
