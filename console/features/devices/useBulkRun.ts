import { useRef, useState } from 'react'
import { CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { refresh } from '#console/lib/call/useCall.ts'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import { getDevice, listDevices } from '#contract/http/device.ts'
import type { DeviceId } from '#domain/ids.ts'
import { runBulk } from './bulkRun.ts'
import type { BulkWish, Comparison } from './bulkWish.ts'
import type { BulkStanding } from './bulkWords.ts'
import { type BulkResult, sendWish } from './sendWish.ts'

/** A run over a selection: how it stands with each device, and the way to stop it. Leaving while it runs asks. */
export function useBulkRun() {
  const [standings, setStandings] = useState<ReadonlyMap<DeviceId, BulkStanding>>(new Map())
  const [state, setState] = useState<'idle' | 'running' | 'stopping' | 'ended'>('idle')
  const stopper = useRef<AbortController>(undefined)
  const isRunning = state === 'running' || state === 'stopping'
  useUnsavedChanges(isRunning, messages.bulkRunning)

  const set = (id: DeviceId, standing: BulkStanding) => setStandings((now) => new Map(now).set(id, standing))

  const run = async (wish: BulkWish, targets: readonly Comparison[]) => {
    const stopped = new AbortController()
    stopper.current = stopped
    setState('running')
    const waiting = targets.map(({ device }) => [device.deviceId, { kind: 'waiting' } as BulkStanding] as const)
    setStandings((now) => new Map([...now, ...waiting]))
    const work = async (target: Comparison) => {
      const id = target.device.deviceId
      set(id, { kind: 'running' })
      const result = await resultOf(wish, target)
      set(id, result)
      // Who is signed out gets nothing but refusals from here on.
      if (result === SIGNED_OUT) stopped.abort()
    }
    await runBulk({ items: targets, work, stopped: stopped.signal })
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
      setStandings(new Map())
    },
  }
}
export type BulkRun = ReturnType<typeof useBulkRun>

const SIGNED_OUT: BulkResult = { kind: 'failed', errors: [messages.sessionExpired] }

async function resultOf(wish: BulkWish, target: Comparison): Promise<BulkResult> {
  try {
    return await sendWish(wish, target)
  } catch (failure) {
    if (failure instanceof CallFailed && failure.status === 401) return SIGNED_OUT
    return { kind: 'failed', errors: [failureMessage(failure)] }
  }
}
