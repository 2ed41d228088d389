import { messages } from '#console/lib/call/messages.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { refresh, useCall } from '#console/lib/call/useCall.ts'
import { useRecordForm } from '#console/lib/form/useRecordForm.ts'
import { useLiveDevices } from '#console/lib/live/live.ts'
import { setDeviceDetails } from '#contract/http/devices/details.ts'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import { basedOnOf, DETAILS_RULES, detailsChanges, detailsValuesOf, POSITION } from './detailsValues.ts'

export type DetailsForm = ReturnType<typeof useDetailsForm>

/** The form follows rules/devices 3. */
export function useDetailsForm(device: Device) {
  const before = detailsValuesOf(device)
  const form = useRecordForm(setDeviceDetails, {
    ...DETAILS_RULES,
    initial: before,
    asOne: POSITION,
    sends: (values) => {
      const changes = detailsChanges(before, values)
      return { id: device.id, ...changes, basedOn: basedOnOf(device, changes) }
    },
    saved: messages.deviceSaved,
    onSaved: (saved) => form.load(detailsValuesOf(saved)),
    onFailed: ({ code }) => {
      if (code === 'settings_changed') void refresh(getDevice)
    },
  })
  // Live events do not carry names and places, so the details are read often: whoever types must learn of other
  // people's changes before they save.
  const refreshEveryMs = REFRESH_EVERY_MS.closely
  const record = useCall(getDevice, { guid: device.guid }, { enabled: form.isDirty, refreshEveryMs })
  useLiveDevices(form.isDirty ? [device.id] : [], () => void record.refetch({ cancelRefetch: false }))
  return form
}
