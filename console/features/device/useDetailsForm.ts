import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { fieldErrorsOf } from '#console/lib/fieldErrors.ts'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useChange } from '#console/lib/useCall.ts'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import { type Device, getDevice, getDeviceById, listDevices } from '#contract/http/device.ts'
import { setDeviceDetails } from '#contract/http/deviceDetails.ts'
import { DETAILS_LABELS, type DetailsField, detailsChanges, detailsErrors, detailsValuesOf } from './detailsValues.ts'

/** The details form of a device: its values, its way to the server and back, and the question before leaving it. */
export function useDetailsForm(device: Device) {
  const form = useForm({ initialValues: detailsValuesOf(device), validate: detailsErrors })
  const isDirty = form.isDirty()
  useUnsavedChanges(isDirty)

  const load = (next: Device) => {
    const values = detailsValuesOf(next)
    form.setInitialValues(values)
    form.setValues(values)
    form.clearErrors()
  }
  const recordKey = JSON.stringify(detailsValuesOf(device))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is a reason
  useEffect(() => {
    // Somebody else's change shows, unless it would take away what is being typed here.
    if (!isDirty) load(device)
  }, [recordKey])

  const focus = (field: string) => form.getInputNode(field as DetailsField)?.focus()
  const change = useChange(setDeviceDetails, {
    refreshes: [getDevice, getDeviceById, listDevices],
    showsFailure: true,
    onDone: (saved) => {
      load(saved)
      toasts.success(messages.deviceSaved)
    },
  })
  const save = form.onSubmit(
    (values) => {
      const changes = detailsChanges(detailsValuesOf(device), values)
      change.mutate(
        { body: { id: device.id, ...changes } },
        {
          onError: (failure) => {
            const errors = fieldErrorsOf(failure, DETAILS_LABELS)
            if (!errors) return toasts.failure(failure)
            form.setErrors(errors)
            focus(Object.keys(errors)[0] ?? 'name')
          },
        },
      )
    },
    (errors) => focus(Object.keys(errors)[0] ?? 'name'),
  )
  return { form, isDirty, save, discard: () => load(device), isSaving: change.isPending }
}
export type DetailsForm = ReturnType<typeof useDetailsForm>['form']
