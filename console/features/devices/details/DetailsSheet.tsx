import { Textarea, TextInput } from '@mantine/core'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { DETAILS_LABELS } from './detailsValues.ts'

export function DetailsSheet({ device }: { readonly device: Device }) {
  const isCustomerUser = useIsCustomerUser()
  const read = (name: keyof typeof DETAILS_LABELS, value: string) => ({
    label: DETAILS_LABELS[name],
    readOnly: true,
    value: value || UNKNOWN_TEXT,
  })
  const { latitude, longitude, iotDeviceId } = device
  return (
    <section className="details-form" aria-label="Details">
      <Panel title="Device" isPadded>
        <div className="details-fields">
          <TextInput {...read('name', device.name)} />
          <TextInput {...read('address', device.address)} />
          <TextInput {...read('modelId', deviceModelName(device.modelId))} />
          {!isCustomerUser && <TextInput {...read('customerId', device.customerName)} />}
          <TextInput {...read('attrSerial', device.attrSerial)} className="mono-input" />
          <TextInput
            label="Device ID"
            className="mono-input"
            readOnly
            value={iotDeviceId || UNKNOWN_TEXT}
            rightSection={iotDeviceId && <CopyButton name="device ID" text={iotDeviceId} />}
          />
          <TextInput {...read('internalIp', device.internalIp)} className="mono-input" />
          <TextInput {...read('externalIp', device.externalIp)} className="mono-input" />
          <TextInput {...read('tags', device.tags.join(', '))} className="details-wide" />
          <Textarea {...read('description', device.description)} className="details-wide" size="xs" rows={4} />
        </div>
      </Panel>
      <Panel title="Position and time zone" isPadded>
        <div className="details-place">
          <TextInput {...read('latitude', latitude === null ? '' : String(latitude))} className="mono-input" />
          <TextInput {...read('longitude', longitude === null ? '' : String(longitude))} className="mono-input" />
          <TextInput {...read('timeZone', device.timeZone)} />
        </div>
      </Panel>
    </section>
  )
}
