import { SegmentedControl } from '@mantine/core'
import { useUser } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { TagsPicker } from '#console/pickers/TagsPicker.tsx'
import type { WindowTarget } from '#contract/http/alerting/maintenanceWindows.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'

export interface TargetValues {
  readonly kind: WindowTarget['kind']
  readonly deviceId?: DeviceId | undefined
  readonly tag?: string | undefined
  readonly customerId?: CustomerId | undefined
}

interface Props {
  readonly values: TargetValues
  readonly onChange: (values: TargetValues) => void
}

export function TargetFields({ values, onChange }: Props) {
  const { customerId: own } = useUser()
  const isCustomerUser = own !== undefined
  const { kind, deviceId, tag, customerId } = values
  return (
    <>
      <SegmentedControl
        aria-label="Which devices"
        data={[
          { value: 'device', label: 'One device' },
          { value: 'tag', label: 'By tag' },
          { value: 'customer', label: isCustomerUser ? 'All devices' : 'A customer' },
          ...(isCustomerUser ? [] : [{ value: 'all', label: 'All devices' }]),
        ]}
        value={kind}
        onChange={(chosen) =>
          onChange({ kind: chosen as TargetValues['kind'], ...(chosen === 'customer' && own && { customerId: own }) })
        }
      />
      {kind === 'device' && (
        <DevicePicker label="Device" value={deviceId} onChange={(next) => onChange({ kind, deviceId: next })} />
      )}
      {kind === 'tag' && (
        <TagsPicker
          label="Tag"
          value={tag === undefined ? [] : [tag]}
          customerId={customerId}
          acceptValueOnBlur
          onChange={(tags) => onChange({ ...values, tag: tags.at(-1) })}
        />
      )}
      {(kind === 'tag' || kind === 'customer') && (
        <CustomerPicker
          label="Customer"
          placeholder={kind === 'tag' ? 'Of all customers' : ''}
          value={customerId}
          onChange={(next) => onChange({ ...values, customerId: next })}
        />
      )}
    </>
  )
}

/** It returns undefined while something is missing. */
export function targetOf({ kind, deviceId, tag, customerId }: TargetValues): WindowTarget | undefined {
  switch (kind) {
    case 'device':
      return deviceId === undefined ? undefined : { kind, deviceId }
    case 'tag':
      return tag === undefined ? undefined : { kind, tag, ...(customerId !== undefined && { customerId }) }
    case 'customer':
      return customerId === undefined ? undefined : { kind, customerId }
    case 'all':
      return { kind }
    case 'devices':
      // These devices are selected in the list of devices, not here.
      return undefined
  }
}
