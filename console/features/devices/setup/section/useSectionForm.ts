import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import { isSameValue } from '#domain/displays/presentSettings.ts'
import type { DeviceId } from '#domain/ids.ts'
import { rereadStatus, settingsSection } from '../read/useSetup.ts'
import { isPending } from './settingValues.ts'
import { useReportUnsaved } from './unsavedSections.ts'

export interface Target {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
}

interface Begun {
  readonly section: SettingSection | undefined
}

export interface Sent {
  readonly answer: readonly string[]
  readonly isQueued: boolean
  /** The errors of other displays that were given the same changes. */
  readonly otherErrors?: readonly string[]
}

/** @param basedOn when the section was last set, as its author sees it */
type Send<Values> = (values: Values, basedOn: string | null) => Promise<Sent>

export interface SectionForm<Values> {
  readonly values: Values
  readonly isEdited: (key: keyof Values) => boolean
  readonly isChanged: boolean
  readonly changeCount: number
  readonly isApplying: boolean
  readonly change: (changes: Partial<Values>) => void
  readonly discard: () => void
  /** The section as somebody else has set it while it was being changed here; undefined if nobody has. */
  readonly overtaken: Begun | undefined
  /** @param applied the message once the device has accepted it */
  readonly apply: (send: Send<Values>, applied?: string) => Promise<void>
  readonly restore: (send: Send<Values>) => Promise<void>
}

/**
 * The device's values show wherever nothing was changed, and an accepted apply leaves nothing edited.
 *
 * @param countOf as how many changes its author sees what was edited
 */
export function useSectionForm<Values extends object>(
  base: Values,
  target: Target,
  shown: SettingSection | undefined,
  countOf: (values: Values, edited: readonly (keyof Values)[]) => number = (_, edited) => edited.length,
): SectionForm<Values> {
  const latest = () => settingsSection(target.deviceId, target.section, target.number)
  const [edits, setEdits] = useState<Partial<Values>>({})
  const [begun, setBegun] = useState<Begun>()
  const [isApplying, setIsApplying] = useState(false)
  const values = { ...base, ...edits }
  const isEdited = (key: keyof Values) => key in edits && !isSameValue(edits[key], base[key])

  const changeCount = countOf(values, (Object.keys(edits) as (keyof Values)[]).filter(isEdited))
  const isChanged = changeCount > 0
  useReportUnsaved(target, isApplying ? 0 : changeCount)

  const carryOut = async (send: Send<Values>, applied: string, isApplied: boolean) => {
    setIsApplying(true)
    try {
      const said = await send(values, shown?.desiredAt ?? null)
      reportDone(said, applied)
      await rereadStatus(target.deviceId)
      // The remaining edits were made beside the own apply, so they are based on its result.
      setBegun({ section: latest() })
      if (isApplied && (said.answer.length === 0 || isKept(target))) setEdits((now) => without(now, values))
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
    changeCount,
    isApplying,
    change: (changes) => {
      if (!isChanged) setBegun({ section: shown })
      setEdits((now) => ({ ...now, ...changes }))
    },
    discard: () => setEdits({}),
    overtaken: isChanged && !isApplying && begun && isNewer(shown, begun.section) ? begun : undefined,
    apply: (send, applied = messages.applied) => carryOut(send, applied, true),
    restore: (send) => carryOut(send, messages.restored, false),
  }
}

const isNewer = (now: SettingSection | undefined, then: SettingSection | undefined) =>
  now !== undefined && now.desiredAt !== (then?.desiredAt ?? null)

/** Each string of the device's answer is an error of its own (rules/commands 1). */
function reportDone({ answer, isQueued, otherErrors = [] }: Sent, applied: string) {
  for (const error of [...answer, ...otherErrors]) toasts.error(error)
  if (isQueued) toasts.info(messages.queued)
  else if (answer.length === 0 && otherErrors.length === 0) toasts.success(applied)
}

/** A device that has not answered may still accept the change, and it stays desired, so the form already shows it. */
function isKept({ deviceId, section, number }: Target): boolean {
  return isPending(settingsSection(deviceId, section, number))
}

/** A value that was changed while the device was answering stays changed. */
function without<Values extends object>(edits: Partial<Values>, sent: Values): Partial<Values> {
  const kept = Object.entries(edits).filter(([key, value]) => sent[key as keyof Values] !== value)
  return Object.fromEntries(kept) as Partial<Values>
}
