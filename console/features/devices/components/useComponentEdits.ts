import { useEffect, useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { alertDialog, confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import { type DeviceComponent, setDeviceComponents } from '#contract/http/devices/components.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { componentProblem } from '#domain/components/componentRules.ts'
import { changeCounts, type Edits, editsOf, isChanged, saveBody } from './componentEdits.ts'

/** It holds the edited components beside the saved ones, saves them, and asks before leaving. */
export function useComponentEdits(device: Device, loaded: readonly DeviceComponent[]) {
  const [edits, setEdits] = useState<Edits>(() => editsOf(loaded))
  const [saved, setSaved] = useState<Edits>(edits)
  const hasChanges = isChanged(saved, edits)
  useUnsavedChanges(hasChanges)

  const load = (components: readonly DeviceComponent[]) => {
    const next = editsOf(components)
    setSaved(next)
    setEdits(next)
  }
  const loadedKey = JSON.stringify(editsOf(loaded))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other components are a reason
  useEffect(() => {
    // Another user's change appears unless it would discard what is being edited here.
    if (!hasChanges) load(loaded)
  }, [loadedKey])

  const change = useChange(setDeviceComponents, {
    onDone: (answer) => {
      load(answer)
      toasts.success(deviceMessages.componentsSaved)
    },
  })
  const save = async () => {
    const problem = componentProblem(edits)
    if (problem) return alertDialog(problem.title, problem.text)
    const text = deviceMessages.confirmComponents(device.name, countsText(saved, edits))
    const isDangerous = edits.some(({ removed }) => removed)
    if (await confirmDialog({ title: 'Save components', text, isDangerous })) {
      change.mutate({ body: saveBody(device.id, edits) })
    }
  }
  return { edits, setEdits, hasChanges, save, cancel: () => setEdits(saved), isSaving: change.isPending }
}

function countsText(before: Edits, after: Edits): string {
  const { added, changed, removed } = changeCounts(before, after)
  const parts = [
    added > 0 && `${added} added`,
    changed > 0 && `${changed} changed`,
    removed > 0 && `${removed} removed`,
  ]
  return parts.filter(Boolean).join(', ')
}
