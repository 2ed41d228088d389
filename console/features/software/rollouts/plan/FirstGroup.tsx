import { SegmentedControl } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { NumberField } from '#console/ui/number/NumberField.tsx'
import { getDeviceById } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MOST_CHOSEN_DEVICES } from '#domain/rollouts/wavePlan.ts'
import type { PlanValues } from '../planValues.ts'
import type { PlanPartProps } from './DeviceChoice.tsx'

const KINDS: readonly { readonly value: PlanValues['firstGroup']; readonly label: string }[] = [
  { value: 'count', label: 'By number' },
  { value: 'devices', label: 'By name' },
]

/** The first wave is a number of the chosen devices, or specific ones that somebody can walk to. */
export function FirstGroup({ values, set }: PlanPartProps) {
  const { firstGroup, firstCount, firstDeviceIds } = values
  const add = (id: DeviceId | undefined) => {
    if (id !== undefined && !firstDeviceIds.includes(id)) set({ firstDeviceIds: [...firstDeviceIds, id] })
  }
  return (
    <fieldset className="plan-group">
      <legend>First group</legend>
      <div className="plan-line">
        <SegmentedControl
          size="xs"
          aria-label="First group"
          data={[...KINDS]}
          value={firstGroup}
          onChange={(kind) => set({ firstGroup: kind as PlanValues['firstGroup'] })}
        />
        {firstGroup === 'count' && (
          <NumberField
            label="Devices in the first group"
            value={firstCount}
            onChange={(count) => set({ firstCount: count })}
            min={0}
            max={MOST_CHOSEN_DEVICES}
            step={1}
            unit={firstCount === 1 ? 'device' : 'devices'}
          />
        )}
      </div>
      {firstGroup === 'devices' && (
        <>
          <DevicePicker key={firstDeviceIds.length} label="Add a device" value={undefined} onChange={add} />
          <ul className="plan-devices" aria-label="Devices of the first group">
            {firstDeviceIds.map((id) => (
              <ChosenDevice
                key={id}
                id={id}
                onRemove={() => set({ firstDeviceIds: firstDeviceIds.filter((other) => other !== id) })}
              />
            ))}
          </ul>
        </>
      )}
    </fieldset>
  )
}

function ChosenDevice({ id, onRemove }: { readonly id: DeviceId; readonly onRemove: () => void }) {
  const device = useCall(getDeviceById, { id }, { freshMs: 60_000 })
  const name = device.data?.name ?? (device.isPending ? 'Loading…' : `Device ${id}`)
  return (
    <li>
      <span>{name}</span>
      <IconButton icon={IconX} iconSize={14} size={24} aria-label={`Remove ${name}`} onClick={onRemove} />
    </li>
  )
}
