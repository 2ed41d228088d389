import type { ReactNode } from 'react'
import { Age } from '#console/ui/Age.tsx'
import type { SystemState } from '#contract/http/operation/system.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

const agoText = (seconds: number | null) => (seconds === null ? UNKNOWN_TEXT : `${formatDuration(seconds)} ago`)
const countText = (count: number | null) => (count === null ? UNKNOWN_TEXT : formatNumber(count))
const waiting = (count: number, seconds: number) =>
  count === 0 ? '0' : `${formatNumber(count)}, the oldest for ${formatDuration(seconds)}`

export function SystemFigures({ state }: { readonly state: SystemState }) {
  const { backups } = state
  const reportsWaitSeconds = Math.max(0, ...state.processes.map(({ told }) => told?.reportsWaitSeconds ?? 0))
  return (
    <dl className="system-figures">
      <Figure name="Reports waiting for the database">
        {reportsWaitSeconds < 1
          ? 'none for longer than a second'
          : `the oldest for ${formatDuration(reportsWaitSeconds)}`}
      </Figure>
      <Figure name="Commands in progress">{formatNumber(state.commandsWaiting)}</Figure>
      <Figure name="E-mails waiting">{waiting(state.mailsWaiting, state.mailsWaitSeconds)}</Figure>
      <Figure name="Hours to roll up">{formatNumber(state.rollupHoursWaiting)}</Figure>
      <Figure name="Last roll-up">
        <Age at={state.rollupsWholeAt} />
      </Figure>
      <Figure name="Database">{formatBytes(state.databaseBytes)}</Figure>
      <Figure name="Partitions ready">{formatNumber(state.partitionsAheadDays)}</Figure>
      <Figure name="Whole backups">{backups === null ? 'none' : countText(backups.copies)}</Figure>
      {backups !== null && (
        <>
          <Figure name="Newest whole backup">{agoText(backups.newestCopySeconds)}</Figure>
          <Figure name="Restorable up to">{agoText(backups.restorableSeconds)}</Figure>
        </>
      )}
    </dl>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
