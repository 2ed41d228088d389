import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isPending } from './settingValues.ts'
import { useReportUnsaved } from './unsavedSections.ts'
import { rereadStatus, settingsSection } from './useSetup.ts'

interface Target {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
}

interface Said {
  readonly answer: readonly string[]
  readonly isQueued: boolean
}

export interface SectionForm<Values> {
  readonly values: Values
  readonly isEdited: (key: keyof Values) => boolean
  readonly isChanged: boolean
  readonly isApplying: boolean
  readonly change: (changes: Partial<Values>) => void
  readonly discard: () => void
  /** @param applied said when the device has taken it */
  readonly apply: (send: (values: Values) => Promise<Said>, applied?: string) => Promise<void>
}

/**
 * One section of the settings as somebody edits it: what the device has shows through wherever nothing was changed, and
 * an apply that was taken leaves nothing edited.
 */
export function useSectionForm<Values extends object>(base: Values, target: Target): SectionForm<Values> {
  const [edits, setEdits] = useState<Partial<Values>>({})
  const [isApplying, setIsApplying] = useState(false)
  const values = { ...base, ...edits }
  const isEdited = (key: keyof Values) => key in edits && edits[key] !== base[key]

  const isChanged = (Object.keys(edits) as (keyof Values)[]).some(isEdited)
  useReportUnsaved(`${target.section}/${target.number}`, isChanged && !isApplying)

  const apply: SectionForm<Values>['apply'] = async (send, applied = messages.applied) => {
    setIsApplying(true)
    try {
      const said = await send(values)
      tell(said, applied)
      await rereadStatus(target.deviceId)
      if (said.answer.length === 0 || isKept(target)) setEdits((now) => without(now, values))
    } catch (failure) {
      toasts.failure(failure)
      await rereadStatus(target.deviceId)
    } finally {
      setIsApplying(false)
    }
  }

  return {
    values,
    isEdited,
    isChanged,
    isApplying,
    change: (changes) => setEdits((now) => ({ ...now, ...changes })),
    discard: () => setEdits({}),
    apply,
  }
}

/** P2 §8: each string that the device answers is an error of its own. */
function tell({ answer, isQueued }: Said, applied: string) {
  for (const error of answer) toasts.error(error)
  if (isQueued) toasts.info(messages.queued)
  else if (answer.length === 0) toasts.success(applied)
}

/** A device that has not answered yet may still take it: what was asked for stays wanted, so the form has it anyway. */
function isKept({ deviceId, section, number }: Target): boolean {
  return isPending(settingsSection(deviceId, section, number))
}

/** What was changed while the device was thinking stays changed. */
function without<Values extends object>(edits: Partial<Values>, sent: Values): Partial<Values> {
  const kept = Object.entries(edits).filter(([key, value]) => sent[key as keyof Values] !== value)
  return Object.fromEntries(kept) as Partial<Values>
}
