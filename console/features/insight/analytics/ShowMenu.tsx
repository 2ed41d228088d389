import { IconChevronDown, IconEye } from '@tabler/icons-react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import type { DeviceId } from '#domain/ids.ts'
import type { AnalyticsAddress, AnalyticsAddressHook } from './read/useAnalyticsAddress.ts'

interface Props {
  readonly address: AnalyticsAddress
  readonly onChange: AnalyticsAddressHook['go']
  /** What this chart cannot show is undefined. */
  readonly options: {
    readonly band: boolean | undefined
    readonly planned: boolean | undefined
    readonly limits: boolean | undefined
    /** The device whose lanes would stand below. */
    readonly lanesOf: DeviceId | undefined
  }
}

/** Everything that a chart can show besides its lines and alerts is chosen in one place. */
export function ShowMenu({ address, onChange, options: { band, planned, limits, lanesOf } }: Props) {
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <ActionButton
          icon={IconEye}
          iconSize={15}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          className="analytics-show"
        >
          Show
        </ActionButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Option
          name="Min–max band"
          about={band === undefined ? 'only with steps of 1 hour' : 'the lowest and highest reading of each hour'}
          isOn={band}
          onChange={(next) => onChange({ band: next })}
        />
        <Option
          name="Limits"
          about={limits === undefined ? 'no condition of these metrics' : 'what alert conditions compare with'}
          isOn={limits}
          onChange={(showsLimits) => onChange({ showsLimits })}
        />
        <Option
          name="Planned darkness"
          about={planned === undefined ? 'only in a chart of one device' : 'the off times of the device'}
          isOn={planned}
          onChange={(showsPlanned) => onChange({ showsPlanned })}
        />
        <Option
          name="A week before"
          about="the same hours seven days earlier"
          isOn={lanesOf === undefined ? undefined : address.comparesWeek}
          onChange={(comparesWeek) => onChange({ comparesWeek })}
        />
        <Option
          name="What happened"
          about="alerts, light, power and commands below"
          isOn={lanesOf === undefined ? undefined : address.lanesOf !== undefined}
          onChange={(isOn) => onChange({ lanesOf: isOn ? lanesOf : undefined })}
        />
      </Menu.Dropdown>
    </Menu>
  )
}

interface OptionProps {
  readonly name: string
  readonly about: string
  /** It is undefined where this chart has nothing of the kind. */
  readonly isOn: boolean | undefined
  readonly onChange: (isOn: boolean) => void
}

function Option({ name, about, isOn, onChange }: OptionProps) {
  return (
    <Menu.CheckboxItem checked={isOn ?? false} disabled={isOn === undefined} onChange={onChange}>
      {name}
      <small className="analytics-show-about">{about}</small>
    </Menu.CheckboxItem>
  )
}
