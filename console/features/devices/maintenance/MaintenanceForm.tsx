import { Textarea } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { LookupPicker, type LookupResult } from '#console/pickers/LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { MomentField } from '#console/ui/form/MomentField.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import {
  listMaintenanceActions,
  listMaintenanceComponents,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  type MaintenanceEntry,
  setMaintenance,
} from '#contract/http/devices/maintenance.ts'
import { formatWholeDuration } from '#domain/units/durations.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { AlertPicker, type LinkedAlert } from './AlertPicker.tsx'
import { ENTRY_LABELS, type EntryValues, entryBody, entryErrors } from './entryValues.ts'

interface Props {
  readonly device: Device
  readonly id: number
  readonly initial: EntryValues
  /** The form offers what the saved entry names even when it no longer exists. */
  readonly saved: MaintenanceEntry | undefined
  readonly onChange: () => void
  readonly onCancel: () => void
  readonly onSaved: () => void
}

const FRESH = { freshMs: LOOKUP_FRESH_MS }

/** The start and the comment are required (rules/maintenance 1). */
export function MaintenanceForm({ device, id, initial, saved, onChange, onCancel, onSaved }: Props) {
  const { field, values, submit, isBusy } = useCallForm(setMaintenance, {
    labels: ENTRY_LABELS,
    initial,
    content: (values) => entryBody(id, device.id, values),
    check: entryErrors,
    answersIdOf: 'Maintenance',
    saved: messages.maintenanceSaved,
    onSaved,
    onChange,
  })
  const fields = useRef<HTMLDivElement>(null)
  // A record is loaded after the modal has looked for the field to focus, so it is focused here.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const components = useCall(listMaintenanceComponents, { deviceId: device.id })
  const reasons = useCall(listMaintenanceReasons, {}, FRESH)
  const actions = useCall(listMaintenanceActions, {}, FRESH)
  const resolutions = useCall(listMaintenanceResolutions, {}, FRESH)
  return (
    <ModalForm
      onSubmit={submit}
      isBusy={isBusy}
      onCancel={onCancel}
      aside={saved?.username && <span className="maintenance-author">Written by {saved.username}</span>}
    >
      <div className="maintenance-fields" ref={fields}>
        <MomentField {...field('startDt')} name={ENTRY_LABELS.startDt} data-autofocus />
        <div>
          <MomentField {...field('endDt')} name={ENTRY_LABELS.endDt} isClearable />
          <p className="maintenance-duration">{durationBetween(values)}</p>
        </div>
        <LookupPicker
          {...field('modelComponentId')}
          name={ENTRY_LABELS.modelComponentId}
          lookup={withSaved(components, saved?.modelComponentId, saved?.modelComponentName)}
          placeholder="The device as a whole"
        />
        <LookupPicker
          {...field('reasonId')}
          name={ENTRY_LABELS.reasonId}
          lookup={withSaved(reasons, saved?.reasonId, saved?.reasonName)}
        />
        <LookupPicker
          {...field('actionId')}
          name={ENTRY_LABELS.actionId}
          lookup={withSaved(actions, saved?.actionId, saved?.actionName)}
        />
        <LookupPicker
          {...field('resolutionId')}
          name={ENTRY_LABELS.resolutionId}
          lookup={withSaved(resolutions, saved?.resolutionId, saved?.resolutionName)}
        />
        <div className="maintenance-wide">
          <AlertPicker {...field('alertId')} deviceId={device.id} linked={linkedAlertOf(saved)} />
        </div>
        <Textarea {...field('actionComment')} className="maintenance-wide" size="xs" rows={4} resize="vertical" />
      </div>
    </ModalForm>
  )
}

/** "2 h", so that a wrong day or hour is seen before it is saved. */
function durationBetween({ startDt, endDt }: EntryValues): string {
  if (!endDt) return 'Leave empty while it goes on.'
  if (!startDt || endDt < startDt) return ''
  return formatWholeDuration((endDt.getTime() - startDt.getTime()) / MINUTE_MS)
}

function linkedAlertOf(saved: MaintenanceEntry | undefined): LinkedAlert | undefined {
  return saved?.alertId ? { id: saved.alertId, text: saved.alertText } : undefined
}

/** The saved choice stands in the field while the lookup loads, and when the lookup no longer holds it. */
function withSaved(lookup: LookupResult, id: number | null | undefined, name = ''): LookupResult {
  const choices = lookup.data ?? []
  if (!id || choices.some((one) => one.id === id)) return lookup
  return { ...lookup, data: [{ id, name }, ...choices] } as LookupResult
}
