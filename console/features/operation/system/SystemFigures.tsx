import { Age } from '#console/ui/Age.tsx'
import { Fact } from '#console/ui/records/Fact.tsx'
import type { SystemState } from '#contract/http/operation/system.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

const agoText = (seconds: number | null) => (seconds === null ? UNKNOWN_TEXT : `${formatDuration(seconds)} ago`)
const countText = (count: number | null) => (count === null ? UNKNOWN_TEXT : formatNumber(count))
const waiting = (count: number, seconds: number) =>
  count === 0 ? '0' : `${formatNumber(count)}, the oldest for ${formatDuration(seconds)}`

function workersText(workers: SystemState['workers']): string {
  const missing = workers.filter(({ bytes }) => bytes === null)
  const bytes = workers.reduce((sum, worker) => sum + (worker.bytes ?? 0), 0)
  if (missing.length === 0) return `${formatNumber(workers.length)}, with ${formatBytes(bytes)} together`
  return `${formatNumber(workers.length)}; cannot be reached: ${missing.map(({ name }) => name).join(', ')}`
}

export function SystemFigures({ state }: { readonly state: SystemState }) {
  const { backups } = state
  const reportsWaitSeconds = Math.max(0, ...state.processes.map(({ told }) => told?.reportsWaitSeconds ?? 0))
  return (
    <dl className="system-figures">
      <Fact name="Reports waiting for the database">
        {reportsWaitSeconds < 1
          ? 'none for longer than a second'
          : `the oldest for ${formatDuration(reportsWaitSeconds)}`}
      </Fact>
      <Fact name="Commands in progress">{formatNumber(state.commandsWaiting)}</Fact>
      <Fact name="E-mails waiting">{waiting(state.mailsWaiting, state.mailsWaitSeconds)}</Fact>
      <Fact name="Hours to roll up">{formatNumber(state.rollupHoursWaiting)}</Fact>
      <Fact name="Last roll-up">
        <Age at={state.rollupsWholeAt} />
      </Fact>
      <Fact name="Database">{formatBytes(state.databaseBytes)}</Fact>
      {state.workers.length > 0 && <Fact name="Workers of the database">{workersText(state.workers)}</Fact>}
      <Fact name="Partitions ready">{formatNumber(state.partitionsAheadDays)}</Fact>
      {/* That no backup is configured stands among the problems. */}
      {backups !== null && (
        <>
          <Fact name="Whole backups">{countText(backups.copies)}</Fact>
          <Fact name="Newest whole backup">{agoText(backups.newestCopySeconds)}</Fact>
          <Fact name="Restorable up to">{agoText(backups.restorableSeconds)}</Fact>
        </>
      )}
    </dl>
  )
}
