import { Button, Checkbox, Group, Progress } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { missingTimes } from '#console/lib/offGroups.ts'
import { BulkDevices } from './BulkDevices.tsx'
import { BulkFields } from './BulkFields.tsx'
import { type BulkKind, type BulkWish, type ComparedDevice, type Comparison, compared } from './bulkWish.ts'
import { countsOf, countsText } from './bulkWords.ts'
import { firstWish } from './firstWish.ts'
import type { BulkRun } from './useBulkRun.ts'

interface Props {
  readonly kind: BulkKind
  readonly devices: readonly ComparedDevice[]
  readonly run: BulkRun
  readonly onClose: () => void
}

/** The form at the left, the devices at the right: who differs, and once it runs what came of each. */
export function BulkEditor({ kind, devices, run, onClose }: Props) {
  const [wish, setWish] = useState<BulkWish>(() => firstWish(kind, devices))
  const [takesSame, setTakesSame] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const offTimesErrors = wish.kind === 'turnOff' ? missingTimes(wish.args) : {}
  const rows = useMemo(() => devices.map((device) => compared(wish, device)), [devices, wish])
  const targets = rows.filter(({ verdict }) => verdict === 'differs' || (takesSame && verdict === 'same'))
  const sameCount = rows.filter(({ verdict }) => verdict === 'same').length
  const hasBegun = run.isRunning || run.hasEnded

  const apply = () => {
    setIsTried(true)
    if (Object.keys(offTimesErrors).length > 0) return
    void run.run(
      wish,
      targets.map(({ device }) => device.deviceId),
    )
  }

  return (
    <div className="bulk">
      <fieldset className="bulk-form" disabled={hasBegun} aria-label="What to set">
        <BulkFields wish={wish} offTimesErrors={isTried ? offTimesErrors : {}} onChange={setWish} />
      </fieldset>
      <div className="bulk-devices">
        {hasBegun ? (
          <RunHead run={run} />
        ) : (
          <BeforeHead rows={rows}>
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
        />
      </div>
      <Group justify="flex-end" gap="sm" className="bulk-foot">
        <BulkButtons run={run} wish={wish} targetCount={targets.length} onApply={apply} onClose={onClose} />
      </Group>
    </div>
  )
}

function BeforeHead({ rows, children }: { readonly rows: readonly Comparison[]; readonly children: React.ReactNode }) {
  const count = (verdict: Comparison['verdict']) => rows.filter((row) => row.verdict === verdict).length
  return (
    <div className="bulk-head">
      <p role="status">
        <b>{count('differs')}</b> of {rows.length} differ
        {count('absent') > 0 && `, ${count('absent')} have no such display`}
      </p>
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

interface ButtonsProps {
  readonly run: BulkRun
  readonly wish: BulkWish
  readonly targetCount: number
  readonly onApply: () => void
  readonly onClose: () => void
}

function BulkButtons({ run, wish, targetCount, onApply, onClose }: ButtonsProps) {
  if (run.isRunning) {
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        loading={run.isStopping}
        onClick={run.stop}
      >
        Stop
      </Button>
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
  const again = [...run.standings].filter(([, { kind }]) => kind === 'failed' || kind === 'waiting').map(([id]) => id)
  return (
    <>
      {again.length > 0 && (
        <Button variant="default" onClick={() => void run.run(wish, again)}>
          Try the other {again.length} again
        </Button>
      )}
      <Button onClick={onClose}>Close</Button>
    </>
  )
}
