import { useEffect, useRef, useState } from 'react'
import { CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refresh } from '#console/lib/call/useCall.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import { getDevice, listDevices } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { BulkStanding } from './bulkLabels.ts'
import { runBulk } from './bulkRun.ts'
import type { BulkChange, Comparison } from './bulkSettings.ts'
import { type BulkPart, type BulkResult, sendChange } from './sendChange.ts'
import { type SentSettings, useLateAnswers } from './useLateAnswers.ts'

/** It tracks the result of each device and can stop the run. Leaving the page meanwhile asks first. */
export function useBulkRun() {
  const [standings, setStandings] = useState<ReadonlyMap<DeviceId, BulkStanding>>(new Map())
  const [state, setState] = useState<'idle' | 'running' | 'stopping' | 'ended'>('idle')
  const stopper = useRef<AbortController>(undefined)
  /** These devices were sent nothing yet; the list is empty when nothing runs. */
  const unsent = useRef<readonly string[]>([])
  const sentTo = useRef<SentSettings>(undefined)
  const isRunning = state === 'running' || state === 'stopping'
  useUnsavedChanges(isRunning, messages.bulkRunning)

  // A run that nobody watches stops, and whoever leaves is shown what was not sent.
  useEffect(
    () => () => {
      stopper.current?.abort()
      if (unsent.current.length > 0) toasts.warning(messages.bulkNotSent(unsent.current))
    },
    [],
  )

  const set = (id: DeviceId, standing: BulkStanding) => setStandings((now) => new Map(now).set(id, standing))

  useLateAnswers(standings, state === 'ended' ? sentTo.current : undefined, set)

  const run = async (change: BulkChange, targets: readonly Comparison[]) => {
    const stopped = new AbortController()
    const part = { stopped: stopped.signal, bulkName: newUuid() }
    stopper.current = stopped
    // A second run sends the same change to the remaining devices.
    sentTo.current = { change, targets: [...(sentTo.current?.targets ?? []), ...targets] }
    setState('running')
    unsent.current = targets.map(({ device }) => device.name)
    const waiting = targets.map(({ device }) => [device.deviceId, { kind: 'waiting' } as BulkStanding] as const)
    setStandings((now) => new Map([...now, ...waiting]))
    const work = async (target: Comparison) => {
      const id = target.device.deviceId
      // Items begin in order, so the first one has been sent.
      unsent.current = unsent.current.slice(1)
      set(id, { kind: 'running' })
      const result = await resultOf(change, target, part)
      set(id, result)
      // Whoever is signed out, or does not want to prove their identity, would be refused and asked again for each
      // following device.
      if (result === SIGNED_OUT || result === NOT_PROVED) stopped.abort()
    }
    await runBulk({ items: targets, work, stopped: stopped.signal })
    unsent.current = []
    setState('ended')
    await refresh(listDevices, getDevice)
  }

  return {
    standings,
    isRunning,
    isStopping: state === 'stopping',
    hasEnded: state === 'ended',
    run,
    stop: () => {
      setState('stopping')
      stopper.current?.abort()
    },
    reset: () => {
      setState('idle')
      sentTo.current = undefined
      setStandings(new Map())
    },
  }
}
export type BulkRun = ReturnType<typeof useBulkRun>

const SIGNED_OUT: BulkResult = { kind: 'failed', errors: [messages.sessionExpired] }
const NOT_PROVED: BulkResult = { kind: 'failed', errors: [messages.notProved] }

async function resultOf(change: BulkChange, target: Comparison, part: BulkPart): Promise<BulkResult> {
  try {
    return await sendChange(change, target, part)
  } catch (failure) {
    if (failure instanceof CallFailed && failure.status === 401) return SIGNED_OUT
    if (failure instanceof CallFailed && failure.code === 'step_up_required') return NOT_PROVED
    return { kind: 'failed', errors: [failureMessage(failure)] }
  }
}
