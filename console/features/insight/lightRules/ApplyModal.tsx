import { useState } from 'react'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { type CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { applyDayPlanSettings, applyTurnDisplayOffSettings } from '#contract/http/devices/setup.ts'
import type { LightConflict } from '#contract/http/insight/lightRules.ts'
import { changeText } from './conflictTexts.ts'

interface Props {
  readonly conflicts: readonly LightConflict[]
  readonly onClose: () => void
}

/** It shows each change before it is made, and makes it by the calls of Setup, so that each device has its audit row. */
export function ApplyModal({ conflicts, onClose }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  const [failures, setFailures] = useState<readonly string[]>([])
  const submit = async () => {
    setIsBusy(true)
    const failed = await applyAll(conflicts)
    await refreshAfter(applyTurnDisplayOffSettings)
    const done = conflicts.length - failed.length
    if (done > 0) toasts.success(`${done} of ${conflicts.length} devices set`)
    if (failed.length === 0) return onClose()
    setFailures(failed)
    setIsBusy(false)
  }
  return (
    <FormModal
      title="Apply to devices"
      size={560}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      isBusy={isBusy}
      submitLabel="Apply"
      onClose={onClose}
    >
      <ul className="light-rules-changes">
        {conflicts.map((one) => (
          <li key={one.deviceId}>
            <strong>{one.name}</strong>: {one.offTimes ? `off ${one.offTimes}` : 'no off times'} → {changeText(one)}
          </li>
        ))}
      </ul>
      {failures.map((text) => (
        <FormNote key={text} kind="failed" text={text} />
      ))}
    </FormModal>
  )
}

async function applyAll(conflicts: readonly LightConflict[]): Promise<readonly string[]> {
  const bulkName = newUuid()
  const failed: string[] = []
  for (const { deviceId, name, change, basedOn } of conflicts) {
    if (change === null) continue
    try {
      const { answer } =
        change.kind === 'offTimes'
          ? await sendOrQueue(applyTurnDisplayOffSettings, {
              body: { deviceId, ...change.offTimes, basedOn },
              bulkName,
            })
          : await sendOrQueue(applyDayPlanSettings, { body: { deviceId, ...change.dayPlan, basedOn }, bulkName })
      if (answer.length > 0) failed.push(`${name}: ${answer.join(' ')}`)
    } catch (failure) {
      failed.push(`${name}: ${failureMessage(failure as CallFailed)}`)
    }
  }
  return failed
}
