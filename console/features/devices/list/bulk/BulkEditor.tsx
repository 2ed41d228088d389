import { Button, Checkbox, Group, Progress } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { isPlanReadable } from '#console/deviceParts/dayPlanLabels.ts'
import { offTimesErrors } from '#console/deviceParts/settings/offGroups.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import type { DeviceId } from '#domain/ids.ts'
import { BulkDevices } from './BulkDevices.tsx'
import { BulkFields } from './BulkFields.tsx'
import { type BulkStanding, changesText, countsOf, countsText, meanwhileText, undoneByLightText } from './bulkLabels.ts'
import { type Meanwhile, setMeanwhile } from './bulkOvertaken.ts'
import {
  type BulkChange,
  type BulkKind,
  type ComparedDevice,
  type Comparison,
  compared,
  isNothingChosen,
} from './bulkSettings.ts'
import type { BulkRun } from './useBulkRun.ts'

interface Props {
  readonly kind: BulkKind
  readonly devices: readonly ComparedDevice[]
  readonly reread: () => Promise<readonly ComparedDevice[]>
  readonly run: BulkRun
  readonly onClose: () => void
}

export function BulkEditor({ kind, devices, reread, run, onClose }: Props) {
  const [change, setChange] = useState<BulkChange>(() => nothingChosen(kind))
  const [takesSame, setTakesSame] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const rows = useMemo(() => devices.map((device) => compared(change, device)), [devices, change])
  const meanwhile = useMeanwhile(change, devices)
  const isNothing = isNothingChosen(change)
  const isTaken = ({ verdict }: Comparison) => verdict === 'differs' || (takesSame && verdict === 'same')
  const targets = isNothing ? [] : rows.filter(isTaken)
  const sameCount = isNothing ? 0 : rows.filter(({ verdict }) => verdict === 'same').length
  const hasBegun = run.isRunning || run.hasEnded

  const apply = () => {
    setIsTried(true)
    if (isReadable(change)) void run.run(change, targets)
  }

  /** Those that failed because somebody was faster are now based on that other change. */
  const tryAgain = async (open: readonly Comparison[]) => {
    const ids = new Set(open.map(({ device }) => device.deviceId))
    const fresh = (await reread()).map((device) => compared(change, device))
    const isWanted = ({ device, verdict }: Comparison) => ids.has(device.deviceId) && verdict !== 'leftOut'
    await run.run(change, fresh.filter(isWanted))
  }

  return (
    <div className="bulk">
      <fieldset className="bulk-form" disabled={hasBegun} aria-label="What to set">
        <BulkFields change={change} devices={devices} showsErrors={isTried} onChange={setChange} />
      </fieldset>
      <div className="bulk-devices">
        {hasBegun ? (
          <RunHead run={run} />
        ) : (
          <BeforeHead rows={rows} targets={targets} meanwhile={meanwhile} isNothingChosen={isNothing}>
            {sameCount > 0 && (
              <Checkbox
                size="xs"
                label={`Also send it to the ${sameCount} that already have it`}
                checked={takesSame}
                onChange={({ currentTarget }) => setTakesSame(currentTarget.checked)}
              />
            )}
          </BeforeHead>
        )}
        <BulkDevices
          rows={hasBegun ? rows.filter(({ device }) => run.standings.has(device.deviceId)) : rows}
          run={run}
          meanwhile={meanwhile}
          isNothingChosen={isNothing}
        />
      </div>
      <Group justify="flex-end" gap="sm" className="bulk-foot">
        <BulkButtons
          run={run}
          rows={rows}
          targetCount={targets.length}
          onApply={apply}
          onAgain={(open) => void tryAgain(open)}
          onClose={onClose}
        />
      </Group>
    </div>
  )
}

const isReadable = (change: BulkChange): boolean => {
  if (change.kind === 'dayPlan') return isPlanReadable(change.chosen)
  return change.kind !== 'turnOff' || Object.keys(offTimesErrors(change.chosen)).length === 0
}

function useMeanwhile(change: BulkChange, devices: readonly ComparedDevice[]): ReadonlyMap<DeviceId, Meanwhile> {
  const [opened] = useState(() => new Map(devices.map((device) => [device.deviceId, device])))
  return useMemo(() => {
    const found = devices.flatMap((device) => {
      const was = opened.get(device.deviceId)
      const meanwhile = was && setMeanwhile(change, was, device)
      return meanwhile ? [[device.deviceId, meanwhile] as const] : []
    })
    return new Map(found)
  }, [change, devices, opened])
}

/** Every value stays as it is until somebody chooses it (rules/commands 10). */
function nothingChosen(kind: BulkKind): BulkChange {
  if (kind === 'status') return { kind, statusId: undefined }
  if (kind === 'addTags' || kind === 'removeTags') return { kind, tags: [] }
  return kind === 'turnOff' || kind === 'dayPlan' ? { kind, chosen: {} } : { kind, which: 'all', chosen: {} }
}

interface BeforeHeadProps {
  readonly rows: readonly Comparison[]
  readonly targets: readonly Comparison[]
  readonly meanwhile: ReadonlyMap<DeviceId, Meanwhile>
  readonly isNothingChosen: boolean
  readonly children: React.ReactNode
}

function BeforeHead({ rows, targets, meanwhile, isNothingChosen, children }: BeforeHeadProps) {
  const count = (verdict: Comparison['verdict']) => rows.filter((row) => row.verdict === verdict).length
  const warnings = [meanwhileText([...meanwhile.values()]), undoneByLightText(targets)]
  if (isNothingChosen) {
    return (
      <div className="bulk-head">
        <p role="status">Nothing is chosen: everything stays as it is.</p>
        {meanwhile.size > 0 && <p className="bulk-warning">{meanwhileText([...meanwhile.values()])}</p>}
      </div>
    )
  }
  return (
    <div className="bulk-head">
      <div role="status">
        <p>
          <b>{count('differs')}</b> of {rows.length} differ
          {count('leftOut') > 0 && `, ${count('leftOut')} left out`}
        </p>
        <p className="bulk-changes">{changesText(targets)}</p>
        {warnings.map(
          (warning) =>
            warning !== undefined && (
              <p key={warning} className="bulk-warning">
                {warning}
              </p>
            ),
        )}
      </div>
      {children}
    </div>
  )
}

function RunHead({ run }: { readonly run: BulkRun }) {
  const counts = countsOf(run.standings.values())
  const total = run.standings.size
  return (
    <div className="bulk-head">
      <p role="status">{countsText(counts, run.hasEnded)}</p>
      <Progress value={total === 0 ? 100 : ((total - counts.open) / total) * 100} aria-label="Progress" size={6} />
    </div>
  )
}

const isOpen = (standing: BulkStanding | undefined) => standing?.kind === 'failed' || standing?.kind === 'waiting'

interface ButtonsProps {
  readonly run: BulkRun
  readonly rows: readonly Comparison[]
  readonly targetCount: number
  readonly onApply: () => void
  readonly onAgain: (open: readonly Comparison[]) => void
  readonly onClose: () => void
}

function BulkButtons({ run, rows, targetCount, onApply, onAgain, onClose }: ButtonsProps) {
  if (run.isRunning) {
    return (
      <ActionButton icon={IconPlayerStop} loading={run.isStopping} onClick={run.stop}>
        Stop
      </ActionButton>
    )
  }
  if (!run.hasEnded) {
    return (
      <>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={targetCount === 0} onClick={onApply}>
          Apply to {targetCount}
        </Button>
      </>
    )
  }
  const again = rows.filter(({ device }) => isOpen(run.standings.get(device.deviceId)))
  return (
    <>
      {again.length > 0 && (
        <Button variant="default" onClick={() => onAgain(again)}>
          Try the other {again.length} again
        </Button>
      )}
      <Button onClick={onClose}>Close</Button>
    </>
  )
}
