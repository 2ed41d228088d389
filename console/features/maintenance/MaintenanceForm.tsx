import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { fieldErrorsOf } from '#console/lib/fieldErrors.ts'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useCall, useChange } from '#console/lib/useCall.ts'
import { LOOKUP_FRESH_MS, LookupPicker, type LookupResult } from '#console/pickers/LookupPicker.tsx'
import { MomentField } from '#console/ui/MomentField.tsx'
import { getAlertDetails } from '#contract/http/alert.ts'
import type { Device } from '#contract/http/device.ts'
import {
  getMaintenance,
  listMaintenance,
  listMaintenanceActions,
  listMaintenanceComponents,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  type MaintenanceEntry,
  setMaintenance,
} from '#contract/http/deviceMaintenance.ts'
import { AlertPicker, type LinkedAlert } from './AlertPicker.tsx'
import { ENTRY_LABELS, type EntryValues, entryBody, entryErrors, LONGEST_COMMENT } from './entryValues.ts'

interface Props {
  readonly device: Device
  /** 0 for a new entry. */
  readonly id: number
  readonly initial: EntryValues
  /** The entry as it stands: what it names is offered even when it is gone since. */
  readonly saved: MaintenanceEntry | undefined
  readonly onChange: () => void
  readonly onCancel: () => void
  readonly onSaved: () => void
}

const FRESH = { freshMs: LOOKUP_FRESH_MS }

/** P2 §3 "Maintenance entry", §5 "Maintenance". */
export function MaintenanceForm({ device, id, initial, saved, onChange, onCancel, onSaved }: Props) {
  const { form, save, isSaving } = useMaintenanceForm({ device, id, initial, onChange, onSaved })
  const fields = useRef<HTMLFormElement>(null)
  // A record that is read comes after the modal has looked for the field to begin with.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const components = useCall(listMaintenanceComponents, { deviceId: device.id })
  const reasons = useCall(listMaintenanceReasons, {}, FRESH)
  const actions = useCall(listMaintenanceActions, {}, FRESH)
  const resolutions = useCall(listMaintenanceResolutions, {}, FRESH)
  const field = <Name extends keyof EntryValues>(name: Name) => ({
    name: ENTRY_LABELS[name],
    label: ENTRY_LABELS[name],
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: EntryValues[Name]) => form.setFieldValue(name, value as never),
  })
  return (
    <form noValidate onSubmit={save} ref={fields}>
      <Stack gap="md">
        <div className="maintenance-fields">
          <MomentField {...field('startDt')} withAsterisk isClearable data-autofocus />
          <MomentField {...field('endDt')} isClearable />
          <LookupPicker
            {...field('modelComponentId')}
            lookup={withSaved(components, saved?.modelComponentId, saved?.modelComponentName)}
            placeholder="The device as a whole"
          />
          <LookupPicker {...field('reasonId')} lookup={withSaved(reasons, saved?.reasonId, saved?.reasonName)} />
          <LookupPicker {...field('actionId')} lookup={withSaved(actions, saved?.actionId, saved?.actionName)} />
          <LookupPicker
            {...field('resolutionId')}
            lookup={withSaved(resolutions, saved?.resolutionId, saved?.resolutionName)}
          />
          <div className="maintenance-wide">
            <AlertPicker {...field('alertId')} deviceId={device.id} linked={linkedAlertOf(saved)} />
          </div>
          <Textarea
            {...form.getInputProps('actionComment')}
            className="maintenance-wide"
            label={ENTRY_LABELS.actionComment}
            withAsterisk
            size="xs"
            rows={4}
            resize="vertical"
            maxLength={LONGEST_COMMENT}
          />
        </div>
        <Group justify="flex-end" gap="sm">
          {saved?.username && <span className="maintenance-author">Written by {saved.username}</span>}
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function linkedAlertOf(saved: MaintenanceEntry | undefined): LinkedAlert | undefined {
  return saved?.alertId ? { id: saved.alertId, text: saved.alertText } : undefined
}

/** What the entry names stands in the field while the choices are on their way, and when they no longer hold it. */
function withSaved(lookup: LookupResult, id: number | null | undefined, name = ''): LookupResult {
  const choices = lookup.data ?? []
  if (!id || choices.some((one) => one.id === id)) return lookup
  return { ...lookup, data: [{ id, name }, ...choices] } as LookupResult
}

type Wanted = Omit<Props, 'saved' | 'onCancel'>

function useMaintenanceForm({ device, id, initial, onChange, onSaved }: Wanted) {
  const form = useForm<EntryValues>({ initialValues: initial, validate: entryErrors, onValuesChange: onChange })
  const change = useChange(setMaintenance, {
    refreshes: [listMaintenance, getMaintenance, getAlertDetails],
    showsFailure: true,
    onDone: (savedId) => {
      if (!(savedId > 0)) return toasts.error(messages.noIdReturned('Maintenance'))
      toasts.success(messages.maintenanceSaved)
      onSaved()
    },
  })
  const save = form.onSubmit((values) => {
    const { startDt } = values
    if (startDt === undefined) return
    change.mutate(
      { body: entryBody(id, device.id, values, startDt) },
      {
        onError: (failure) => {
          const errors = fieldErrorsOf(failure, ENTRY_LABELS)
          if (errors) form.setErrors(errors)
          else toasts.failure(failure)
        },
      },
    )
  })
  return { form, save, isSaving: change.isPending }
}
