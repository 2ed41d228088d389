import { messages } from '#console/lib/call/messages.ts'
import type { CallForm } from '#console/lib/form/useCallForm.ts'
import { useRecordForm } from '#console/lib/form/useRecordForm.ts'
import type { Device } from '#contract/http/device.ts'
import { setDeviceDetails } from '#contract/http/deviceDetails.ts'
import { DETAILS_RULES, type DetailsValues, detailsChanges, detailsValuesOf } from './detailsValues.ts'

export type DetailsForm = CallForm<DetailsValues>

/** The details form of a device (P1 §5 "Device details form"). */
export function useDetailsForm(device: Device) {
  const before = detailsValuesOf(device)
  const form = useRecordForm(setDeviceDetails, {
    ...DETAILS_RULES,
    initial: before,
    sends: (values) => ({ id: device.id, ...detailsChanges(before, values) }),
    saved: messages.deviceSaved,
    onSaved: (saved) => form.load(detailsValuesOf(saved)),
  })
  return form
}
