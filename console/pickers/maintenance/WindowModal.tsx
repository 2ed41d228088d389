import { Button } from '@mantine/core'
import { useState } from 'react'
import { type CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatClock } from '#console/lib/time/time.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import {
  type MaintenanceWindow,
  previewMaintenanceWindow,
  type WindowSchedule,
  type WindowTarget,
} from '#contract/http/alerting/maintenanceWindows.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { TargetFields, type TargetValues, targetOf } from './TargetFields.tsx'
import { ScheduleFields, WhyFields } from './WindowFields.tsx'
import { windowMessages } from './windowMessages.ts'
import { newValues, type Preset, scheduleOf, valuesOf, type WindowValues, windowErrors } from './windowValues.ts'
import './windows.css'

export interface WindowDraft {
  readonly schedule: WindowSchedule
  readonly reason: string
  readonly tellsCustomer: boolean
}

interface Props {
  readonly title: string
  /** null means that the form chooses the target. */
  readonly target: WindowTarget | null
  /** Days begin by this zone's clock; absent means the viewer's. */
  readonly timeZone?: string | undefined
  /** The window begins now and lasts this long; absent means that the form asks. */
  readonly preset?: Preset | undefined
  /** The window to change; absent means a new one. */
  readonly window?: MaintenanceWindow
  /** @throws CallFailed */
  readonly onSubmit: (target: WindowTarget, draft: WindowDraft) => Promise<void>
  readonly onClose: () => void
}

export function WindowModal({ title, target: given, timeZone, preset, window, onSubmit, onClose }: Props) {
  const [values, setValues] = useState<WindowValues>(() => {
    const now = new Date(serverNowMs())
    return window ? valuesOf(window, now) : newValues(preset, timeZone, now)
  })
  const [chosen, setChosen] = useState<TargetValues>({ kind: 'device' })
  const [asksTimes, setAsksTimes] = useState(preset === undefined)
  const [isSent, setIsSent] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const target = given ?? targetOf(chosen)
  const errors = windowErrors(values)
  const isReady = Object.keys(errors).length === 0 && target !== undefined
  const change = (changes: Partial<WindowValues>) => {
    setValues((before) => ({ ...before, ...changes }))
    setFailure(undefined)
  }
  const preview = usePreview(target, values)

  const submit = async () => {
    setIsSent(true)
    if (!isReady) return
    setIsBusy(true)
    try {
      const { reason, tellsCustomer } = values
      await onSubmit(target, { schedule: scheduleOf(values), reason: reason.trim(), tellsCustomer })
      onClose()
    } catch (refused) {
      setFailure(failureMessage(refused as CallFailed))
      setIsBusy(false)
    }
  }
  const shown = isSent ? errors : {}
  const fields = { values, errors: shown, onChange: change }
  return (
    <FormModal
      title={title}
      size={560}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      isBusy={isBusy}
      submitLabel={window ? 'Save' : values.kind === 'once' && !values.from ? 'Start maintenance' : 'Plan'}
      isDisabled={target === undefined}
      aside={
        !asksTimes && (
          <Button variant="subtle" onClick={() => setAsksTimes(true)}>
            Other times
          </Button>
        )
      }
      onClose={onClose}
    >
      {given === null && !window && <TargetFields values={chosen} onChange={setChosen} />}
      {asksTimes && <ScheduleFields {...fields} hasBegun={window?.hasBegun ?? false} />}
      <WhyFields {...fields} toldPeople={preview?.toldPeople} />
      <p className="window-preview" role="status">
        {preview ? previewLabel(preview) : 'Devices and times appear here once they are set.'}
        <br />
        {windowMessages.whatItDoes}
      </p>
      {failure && <FormNote kind="failed" text={failure} />}
    </FormModal>
  )
}

type Preview = {
  devices: readonly { name: string }[]
  deviceCount: number
  times: readonly { from: string; to: string }[]
}

/** Only a window that could be planned as it stands is previewed. */
function usePreview(target: WindowTarget | undefined, values: WindowValues) {
  const { reason: _, ...when } = values
  const isRequested = target !== undefined && Object.keys(windowErrors({ ...values, reason: '-' })).length === 0
  const question = isRequested
    ? { target, schedule: scheduleOf({ ...when, reason: '' }) }
    : { target: { kind: 'all' as const }, schedule: { kind: 'once' as const } }
  const { data } = useCall(previewMaintenanceWindow, question as never, { enabled: isRequested, keepsPrevious: true })
  return isRequested ? data : undefined
}

const MOST_NAMED = 3

function previewLabel({ devices, deviceCount, times }: Preview): string {
  const names = devices.slice(0, MOST_NAMED).map(({ name }) => name)
  const more = deviceCount - names.length
  const who =
    deviceCount === 0 ? 'No device now' : `${names.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
  const [first, ...others] = times
  if (!first) return `${who}: at no time to come.`
  const next = others.length > 0 ? `, next ${others.map(({ from }) => formatClock(from)).join(', ')}` : ''
  return `${who}: ${formatClock(first.from)} to ${formatClock(first.to)}${next}.`
}
