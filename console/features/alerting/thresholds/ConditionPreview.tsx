import { useMemo } from 'react'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { ConditionPreview as Previewed } from '#contract/http/alerting/thresholds.ts'
import { type ConditionKind, isClockKind } from '#domain/alerts/conditionKinds.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { type ConditionOwner, isOfMany } from './condition/conditionOwner.ts'
import type { ConditionBody, ConditionField } from './condition/conditionValues.ts'
import { PreviewChart } from './PreviewChart.tsx'
import { PreviewCounts } from './PreviewCounts.tsx'
import { usePreview } from './usePreview.ts'

const DRAWN_DAYS = 30

interface Props {
  readonly owner: ConditionOwner
  readonly kind: ConditionKind
  /** It is undefined while the form is not complete. */
  readonly body: ConditionBody | undefined
  readonly field: ConditionField | undefined
}

/** It shows how often, on which devices, for how long, and over which values the condition would have been met. */
export function ConditionPreview({ owner, kind, body, field }: Props) {
  const { month, quarter, isOld } = usePreview(body)
  const period = useLastDays()
  const drawnDeviceId = 'deviceId' in owner ? owner.deviceId : month.data?.devices[0]?.deviceId
  return (
    <section className="preview" aria-label="What would it have done?">
      <h3>What would it have done?</h3>
      {body === undefined ? (
        <EmptyNote title={kind === 'level' ? 'Fill in field, operator and value' : 'Fill in what it asks'} />
      ) : (
        <div aria-busy={isOld} data-old={isOld || undefined} className="preview-answer">
          <AsyncView query={month}>
            {(answer) => (
              <>
                <PreviewCounts month={answer} quarter={quarter.isPlaceholderData ? undefined : quarter.data} />
                <Reach answer={quarter.data ?? answer} kind={kind} />
                <Devices answer={answer} isOfMany={isOfMany(owner)} />
              </>
            )}
          </AsyncView>
        </div>
      )}
      {(field || (isClockKind(kind) && body)) && drawnDeviceId !== undefined && (
        <PreviewChart
          deviceId={drawnDeviceId}
          deviceName={isOfMany(owner) ? month.data?.devices[0]?.deviceName : undefined}
          field={field}
          period={period}
          level={kind === 'level' || kind === 'pair' ? (body?.valueDec ?? undefined) : undefined}
          levelTone={body?.severityId === undefined ? undefined : severityTone(body.severityId)}
          stretches={body === undefined ? [] : (month.data?.stretches ?? [])}
        />
      )}
    </section>
  )
}

interface ReachProps {
  readonly answer: Previewed
  readonly kind: ConditionKind
}

const NOTHING_KNOWN: { readonly [Kind in ConditionKind]?: string } = {
  silent: 'Nothing came or went in this time.',
  dark: 'There are no readings of a backlight.',
}

function Reach({ answer: { since, skippedDeviceCount, counts }, kind }: ReachProps) {
  if (since === null) return <p className="dim">{NOTHING_KNOWN[kind] ?? 'There are no readings of this field.'}</p>
  const longest = counts.at(-1)
  const isPartial = longest !== undefined && Date.parse(since) > Date.now() - longest.days * DAY_MS
  return (
    <>
      {isPartial && (
        <p className="dim">
          {kind === 'silent' ? 'Known since' : 'Readings reach back to'} {formatMinute(since)}:{' '}
          {longest.timesMet === 1 ? 'once' : `${longest.timesMet} times`} since then.
        </p>
      )}
      {skippedDeviceCount > 0 && <p className="dim">{skippedDeviceCount} further devices were not checked.</p>}
    </>
  )
}

function Devices({
  answer: { devices },
  isOfMany: isShown,
}: {
  readonly answer: Previewed
  readonly isOfMany: boolean
}) {
  if (!isShown || devices.length === 0) return null
  return (
    <ul className="preview-devices" aria-label={`Devices in the last ${DRAWN_DAYS} days`}>
      {devices.map(({ deviceId, deviceName, timesMet, activeMinutes }) => (
        <li key={deviceId}>
          <span className="preview-device">{deviceName}</span>
          <b>{timesMet}×</b>
          <span className="dim">{formatDuration(activeMinutes * 60)}</span>
        </li>
      ))}
    </ul>
  )
}

function useLastDays(): Period {
  return useMemo(() => {
    const to = new Date()
    return { from: new Date(to.getTime() - DRAWN_DAYS * DAY_MS), to }
  }, [])
}
