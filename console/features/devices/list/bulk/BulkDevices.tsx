import { Loader } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconClockHour4,
  IconMinus,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { memo } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { messages } from '#console/lib/call/messages.ts'
import { compareNames } from '#console/lib/compareNames.ts'
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'
import type { DeviceId } from '#domain/ids.ts'
import type { BulkStanding } from './bulkLabels.ts'
import type { Meanwhile } from './bulkOvertaken.ts'
import type { Comparison } from './bulkSettings.ts'
import type { BulkRun } from './useBulkRun.ts'
import '#console/ui/Badge.css'

interface Props {
  readonly rows: readonly Comparison[]
  readonly run: BulkRun
  readonly meanwhile: ReadonlyMap<DeviceId, Meanwhile>
  /** Nothing is chosen to compare with, so each device shows its present values. */
  readonly isNothingChosen: boolean
}

const ORDER: Readonly<Record<Comparison['verdict'], number>> = { differs: 0, leftOut: 1, same: 2 }

/** Before a run it lists the devices that differ first; during the run it shows the progress of each. */
export function BulkDevices({ rows, run, meanwhile, isNothingChosen }: Props) {
  const ordered = rows.toSorted(
    (a, b) => ORDER[a.verdict] - ORDER[b.verdict] || compareNames(a.device.name, b.device.name),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must scroll by keys too
    <ul className="bulk-list" aria-label="Devices" tabIndex={0}>
      {ordered.map((row) => (
        <BulkDevice
          key={row.device.deviceId}
          row={row}
          standing={run.standings.get(row.device.deviceId)}
          meanwhile={meanwhile.get(row.device.deviceId)}
          hasEnded={run.hasEnded}
          hasVerdict={!isNothingChosen || row.verdict === 'leftOut'}
        />
      ))}
    </ul>
  )
}

interface DeviceProps {
  readonly row: Comparison
  readonly standing: BulkStanding | undefined
  readonly meanwhile: Meanwhile | undefined
  readonly hasEnded: boolean
  readonly hasVerdict: boolean
}

/** Each of five hundred devices changes twice in a run, and the memo keeps the others from being drawn again. */
const BulkDevice = memo(function BulkDevice({ row, standing, meanwhile, hasEnded, hasVerdict }: DeviceProps) {
  const { device, verdict } = row
  return (
    <li className="bulk-device" data-verdict={verdict}>
      <span className="bulk-device-name" title={device.name}>
        {device.name}
        {!device.isOnline && (
          <span className="badge badge-crit" title="Offline">
            <IconPlugConnectedX size={14} aria-label="Offline" />
          </span>
        )}
      </span>
      {standing ? <Standing standing={standing} hasEnded={hasEnded} /> : hasVerdict && <Verdict verdict={verdict} />}
      {!standing &&
        meanwhile?.words.map((line) => (
          <span key={line} className="bulk-device-now bulk-device-meanwhile">
            {meanwhile.by} set it meanwhile: {line}
          </span>
        ))}
      {(standing ? saidBy(standing, row) : row.words).map((line) => (
        <span key={line} className="bulk-device-now">
          {line}
        </span>
      ))}
    </li>
  )
})

const VERDICTS: Readonly<Record<Comparison['verdict'], BadgeLook & { readonly word: string }>> = {
  differs: { tone: 'warn', icon: IconCircleDashed, word: 'Differs' },
  leftOut: { tone: 'off', icon: IconMinus, word: 'Left out' },
  same: { tone: 'ok', icon: IconCircleCheckFilled, word: 'Already set' },
}

function Verdict({ verdict }: Pick<Comparison, 'verdict'>) {
  const { word, ...look } = VERDICTS[verdict]
  return <Badge {...look}>{word}</Badge>
}

const STANDINGS: Readonly<Record<Exclude<BulkStanding['kind'], 'running'>, BadgeLook & { readonly word: string }>> = {
  applied: { tone: 'ok', icon: IconCircleCheckFilled, word: 'Applied' },
  queued: { tone: 'brand', icon: IconClockHour4, word: 'Kept' },
  unanswered: { tone: 'warn', icon: IconClockHour4, word: 'No answer yet' },
  failed: { tone: 'crit', icon: IconCircleXFilled, word: 'Failed' },
  waiting: { tone: 'off', icon: IconCircleDashed, word: 'Waiting' },
}

function Standing({ standing: { kind }, hasEnded }: { readonly standing: BulkStanding; readonly hasEnded: boolean }) {
  if (kind === 'running')
    return (
      <Badge tone="brand">
        <Loader size={13} aria-hidden />
        Sending
      </Badge>
    )
  const { word, ...look } = STANDINGS[kind]
  return <Badge {...look}>{kind === 'waiting' && hasEnded ? 'Not sent' : word}</Badge>
}

function saidBy(standing: BulkStanding, { isUndoneByLight }: Comparison): readonly string[] {
  if (standing.kind === 'failed' || standing.kind === 'unanswered') return standing.errors
  if (standing.kind === 'queued') return [messages.queued]
  return standing.kind === 'applied' && isUndoneByLight ? [deviceMessages.appliedUnderLight] : []
}
