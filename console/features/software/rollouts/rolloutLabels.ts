import { formatClock } from '#console/lib/time/time.ts'
import type { ClientUpdate, UpdateCounts, UpdatedDevice } from '#contract/http/software/rollouts.ts'
import type { DeviceUpdateState, RolloutState } from '#domain/rollouts/states.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const ROLLOUT_WORDS: Readonly<Record<RolloutState, string>> = {
  running: 'Running',
  paused: 'Paused',
  halted: 'Halted',
  stopped: 'Stopped',
  finished: 'Finished',
}

/** A rollout that has ended is named by its outcome. */
export function rolloutWord({ state, counts }: Pick<ClientUpdate, 'state' | 'counts'>): string {
  if (state !== 'finished') return ROLLOUT_WORDS[state]
  if (counts.failed > 0) return counts.done > 0 ? `Finished, ${formatNumber(counts.failed)} failed` : 'Failed'
  return counts.done > 0 ? ROLLOUT_WORDS.finished : 'Nothing updated'
}

/** An observed device has the new version, which must run for a while before it counts as done. */
export const OBSERVED_WORD = 'Observed'

export const DEVICE_UPDATE_WORDS: Readonly<Record<DeviceUpdateState, string>> = {
  waiting: 'Waiting',
  offered: 'Assigned',
  downloading: 'Downloading',
  verifying: 'Checking',
  restarting: 'Restarting',
  done: 'Done',
  failed: 'Failed',
  withdrawn: 'Not updated',
}

/** The parts of the progress bar stand in this order, finished devices first. */
export const PROGRESS_PARTS = [
  { id: 'done', word: 'done', states: ['done'] },
  { id: 'observed', word: 'observed', states: [] },
  { id: 'failed', word: 'failed', states: ['failed'] },
  { id: 'begun', word: 'updating', states: ['downloading', 'verifying', 'restarting'] },
  { id: 'offered', word: 'assigned', states: ['offered'] },
  { id: 'waiting', word: 'waiting', states: ['waiting'] },
  { id: 'withdrawn', word: 'not updated', states: ['withdrawn'] },
] as const satisfies readonly { id: string; word: string; states: readonly DeviceUpdateState[] }[]
export type ProgressPart = (typeof PROGRESS_PARTS)[number]

export function countOf({ id, states }: ProgressPart, counts: UpdateCounts): number {
  if (id === 'observed') return counts.observed
  if (id === 'done') return counts.done - counts.observed
  return states.reduce((sum, state) => sum + counts[state], 0)
}

export function countsText(counts: UpdateCounts): string {
  const present = PROGRESS_PARTS.map((part) => ({ word: part.word, count: countOf(part, counts) })).filter(
    ({ count }) => count > 0,
  )
  return present.map(({ word, count }) => `${formatNumber(count)} ${word}`).join(', ') || 'No devices'
}

export const devicesText = (count: number): string => (count === 1 ? '1 device' : `${formatNumber(count)} devices`)

/** It says why a device is not finally done, or which step it is at; it is empty when the device is done. */
export function standingText(
  device: Pick<
    UpdatedDevice,
    'state' | 'reason' | 'isOnline' | 'wave' | 'receivedBytes' | 'bytes' | 'fromVersion' | 'observedUntil'
  >,
  { state, begunWave, version }: Pick<ClientUpdate, 'state' | 'begunWave' | 'version'>,
): string {
  switch (device.state) {
    case 'waiting':
      return waitingText(device.wave, state, begunWave)
    case 'offered':
      return device.isOnline
        ? 'Assigned. The device has not answered yet.'
        : 'It is offline. It is updated when it comes back.'
    case 'downloading':
      return withConnection(device, downloadText(device))
    case 'verifying':
      return withConnection(device, 'It checks the signature and the checksum.')
    case 'restarting':
      // A restarting device cannot be connected, so being offline means nothing then.
      return `It starts ${version}. If that cannot connect, it goes back${device.fromVersion ? ` to ${device.fromVersion}` : ''}.`
    case 'failed':
      return device.reason || 'The device gave no reason.'
    case 'withdrawn':
      return device.reason || 'The update was stopped before it began.'
    case 'done':
      return device.observedUntil === null ? '' : observedText(device.observedUntil, device.isOnline)
  }
}

function observedText(until: string, isOnline: boolean): string {
  return isOnline
    ? `It has to keep running until ${formatClock(until)}.`
    : 'It is offline. It has to come back and keep running.'
}

function waitingText(wave: number, state: ClientUpdate['state'], begunWave: number): string {
  if (state === 'paused') return 'The update is paused.'
  if (state === 'halted') return 'The update is halted.'
  return wave > begunWave ? `Wave ${wave} has not started.` : 'It is assigned in a moment.'
}

function downloadText({ receivedBytes, bytes }: Pick<UpdatedDevice, 'receivedBytes' | 'bytes'>): string {
  return receivedBytes === null
    ? `It downloads ${formatBytes(bytes)}.`
    : `${formatBytes(receivedBytes)} of ${formatBytes(bytes)}`
}

const withConnection = ({ isOnline }: { readonly isOnline: boolean }, text: string) =>
  isOnline ? text : `${text} It is offline and continues when it comes back.`
