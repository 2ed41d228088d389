import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { getMaintenance } from '#contract/http/devices/maintenance.ts'
import { entryValuesOf, newEntryValues } from './entryValues.ts'
import { MaintenanceForm } from './MaintenanceForm.tsx'
import type { OpenEntry } from './useEntryAddress.ts'

interface Props {
  readonly device: Device
  readonly entry: OpenEntry | undefined
  readonly onClose: () => void
}

/** It adds an entry, or edits one that is first read again (rules/maintenance 3). */
export function MaintenanceModal({ device, entry, onClose }: Props) {
  const [hasChanges, setHasChanges] = useState(false)
  const close = async () => {
    const question = { title: 'Close', text: messages.unsavedMaintenance, isDangerous: true }
    if (!hasChanges || (await confirmDialog(question))) onClose()
  }
  const form = { device, onChange: () => setHasChanges(true), onCancel: () => void close(), onSaved: onClose }
  return (
    <Modal
      opened={entry !== undefined}
      onClose={() => void close()}
      title={entry === 'new' ? 'Add maintenance' : 'Edit maintenance'}
      size={560}
      closeOnClickOutside={false}
    >
      {entry === 'new' && <NewEntry {...form} />}
      {typeof entry === 'number' && <SavedEntry {...form} id={entry} onFailed={onClose} />}
    </Modal>
  )
}

interface FormProps {
  readonly device: Device
  readonly onChange: () => void
  readonly onCancel: () => void
  readonly onSaved: () => void
}

function NewEntry(form: FormProps) {
  const [values] = useState(() => newEntryValues(new Date()))
  return <MaintenanceForm {...form} id={0} initial={values} saved={undefined} />
}

interface SavedProps extends FormProps {
  readonly id: number
  readonly onFailed: () => void
}

function SavedEntry({ id, onFailed, ...form }: SavedProps) {
  const record = useCall(getMaintenance, { id })
  const { data, isError, isFetchedAfterMount } = record
  // An entry read for an earlier visit may be old, and saving it would undo what others wrote since.
  const found = isFetchedAfterMount ? data : undefined
  const isForeign = found !== undefined && found.deviceId !== form.device.id
  const hasFailed = isFetchedAfterMount && (isError || isForeign)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when it turns out
  useEffect(() => {
    if (!hasFailed) return
    toasts.error(messages.maintenanceNotLoaded)
    onFailed()
  }, [hasFailed])
  if (!found || hasFailed) return <Skeleton />
  return <MaintenanceForm {...form} id={id} initial={entryValuesOf(found)} saved={found} />
}
