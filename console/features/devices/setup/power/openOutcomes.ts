import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { send } from '#console/lib/call/api.ts'
import { CallFailed, type FailureCode } from '#console/lib/call/CallFailed.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useLiveCommands } from '#console/lib/live/live.ts'
import { Listeners } from '#console/lib/notice/Listeners.ts'
import { type DeviceCommand, listDeviceCommands } from '#contract/http/devices/commands.ts'
import type { SwitchingCommand } from '#domain/darkness/consequence.ts'
import type { DeviceId } from '#domain/ids.ts'

/** A command expires at the device after 60 s; with the time for its reply it is settled by then. */
const LIFE_MS = 65_000
const NEWEST = 20
/** The server treats the same command within 5 s as one, and the clock here is accurate to 2 s. */
const ACCEPTED_BEFORE_MS = 7_000

/** After these failures nobody knows whether the command will be carried out. */
const UNKNOWN: readonly FailureCode[] = [
  'device_silent',
  'command_outcome_unknown',
  'outcome_unknown',
  'answer_lost',
  'network',
  'unexpected',
]

interface Press {
  readonly atMs: number
  readonly untilMs: number
}

/** Presses whose outcome is open, by what they act on. They outlive every screen, as their commands do. */
let openPresses: ReadonlyMap<string, Press> = new Map()
const listeners = new Listeners()

function setPress(key: string, press: Press | undefined): void {
  const next = new Map(openPresses)
  if (press === undefined) next.delete(key)
  else next.set(key, press)
  openPresses = next
  listeners.notify()
}

export const leavesOutcomeOpen = (failure: unknown) => failure instanceof CallFailed && UNKNOWN.includes(failure.code)

/** Both directions share a key, because either would be a second press. */
function keyOf(deviceId: DeviceId, { name, args }: Pick<DeviceCommand, 'name' | 'args'>): string {
  const { group, number, port } = args
  return [deviceId, name, group, number, port].join(' ')
}

/** Until the outcome of the last command is known or its life is over, the action is not offered again. */
export function useOpenOutcome(deviceId: DeviceId, command: SwitchingCommand | undefined) {
  const key = command ? keyOf(deviceId, command) : ''
  const press = useSyncExternalStore(listeners.subscribe, () => openPresses).get(key)
  const isOpen = press !== undefined
  const newest = useQuery({
    queryKey: [listDeviceCommands.path, 'newest', { deviceId }],
    queryFn: ({ signal }) => send(listDeviceCommands, { query: { deviceId, limit: NEWEST }, signal }),
    enabled: isOpen,
    refetchInterval: REFRESH_EVERY_MS.ofOutcome,
    gcTime: 0,
  })
  const last = newest.data?.rows.find((row) => keyOf(deviceId, row) === key)
  const isSettled = isOpen && last !== undefined && endsPress(last, press)
  useLiveCommands(isOpen ? deviceId : undefined, () => void newest.refetch())
  useEffect(() => {
    if (press === undefined) return
    if (isSettled) return setPress(key, undefined)
    const timer = setTimeout(() => setPress(key, undefined), press.untilMs - serverNowMs())
    return () => clearTimeout(timer)
  }, [key, press, isSettled])
  return { isOpen, open: (atMs: number) => setPress(key, { atMs, untilMs: serverNowMs() + LIFE_MS }) }
}

const endsPress = ({ state, acceptedAt }: DeviceCommand, { atMs }: Press) =>
  state !== 'accepted' && state !== 'sent' && Date.parse(acceptedAt) > atMs - ACCEPTED_BEFORE_MS
