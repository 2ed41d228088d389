import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useIsCustomerUser, useMay } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { TagsPicker } from '#console/pickers/TagsPicker.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { setDeviceDetails } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { DetailsOvertaken } from './DetailsOvertaken.tsx'
import { DetailsSheet } from './DetailsSheet.tsx'
import { DETAILS_LABELS } from './detailsValues.ts'
import { PositionFields } from './PositionFields.tsx'
import { TimeZoneField } from './TimeZoneField.tsx'
import { type DetailsForm, useDetailsForm } from './useDetailsForm.ts'
import './details.css'

const LOOKUP_FRESH_MS = 5 * 60_000

/** Host names and IPv6 are refused (rules/calls 14), so the hint says so first. */
const IP_HINT = {
  className: 'mono-input',
  description: 'Four numbers from 0 to 255, such as 10.0.0.1',
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
}

/** The record of a device is a form (rules/devices 3), or text for users who may only see devices. */
export function DetailsTab() {
  const device = useOpenDevice()
  return useMay(setDeviceDetails.permission) ? <DetailsOf device={device} /> : <DetailsSheet device={device} />
}

function DetailsOf({ device }: { readonly device: Device }) {
  const form = useDetailsForm(device)
  const { field, isDirty, isBusy } = form

  return (
    <form noValidate className="details-form" aria-label="Details" onSubmit={form.submit}>
      <Panel title="Device" isPadded>
        <div className="details-fields">
          <TextInput {...field('name')} />
          <TextInput {...field('address')} />
          <ModelField device={device} form={form} />
          <CustomerField device={device} form={form} />
          <TextInput {...field('attrSerial')} className="mono-input" />
          <TextInput
            label="Device ID"
            className="mono-input"
            readOnly
            value={device.iotDeviceId}
            rightSection={device.iotDeviceId && <CopyButton name="device ID" text={device.iotDeviceId} />}
          />
          <TextInput {...field('internalIp')} {...IP_HINT} />
          <TextInput {...field('externalIp')} {...IP_HINT} />
          <TagsPicker
            {...field('tags')}
            className="details-wide"
            description="Separate tags with a comma or Enter."
            customerId={form.values.customerId}
          />
          <Textarea {...field('description')} className="details-wide" size="xs" rows={4} resize="vertical" />
        </div>
      </Panel>
      <Panel title="Position and time zone" isPadded>
        <div className="details-place">
          <PositionFields form={form} />
          <TimeZoneField device={device} form={form} />
        </div>
      </Panel>
      <DetailsOvertaken device={device} form={form} />
      <Group className="details-save" data-dirty={isDirty || undefined} gap="sm">
        <span role="status">{isDirty && 'Not saved yet'}</span>
        <Button variant="default" disabled={!isDirty || isBusy} onClick={form.discard}>
          Discard
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isBusy}>
          Save changes
        </Button>
      </Group>
    </form>
  )
}

interface FieldProps {
  readonly device: Device
  readonly form: DetailsForm
}

/** Rules and components follow from the model, so only admins change it. */
function ModelField({ device, form }: FieldProps) {
  const mayChange = useMay('admin')
  const label = DETAILS_LABELS.modelId
  if (!mayChange) return <TextInput label={label} readOnly value={deviceModelName(device.modelId)} />
  return <ModelPicker {...form.field('modelId')} />
}

function CustomerField({ device, form }: FieldProps) {
  const isCustomerUser = useIsCustomerUser()
  const mayMove = useMay('admin')
  const customers = useCall(listCustomers, {}, { freshMs: LOOKUP_FRESH_MS, enabled: !isCustomerUser })
  const label = DETAILS_LABELS.customerId
  if (isCustomerUser) return null
  if (mayMove) return <CustomerPicker {...form.field('customerId')} isForNew />
  const name = customers.data?.find(({ id }) => id === device.customerId)?.name
  return <TextInput label={label} readOnly value={name ?? ''} />
}
