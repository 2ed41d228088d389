import { useMemo } from 'react'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import type { ConditionPreview as Previewed } from '#contract/http/alertConditions.ts'
import type { FieldId } from '#domain/ids.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { ConditionBody, ConditionField } from './conditionValues.ts'
import { PreviewChart } from './PreviewChart.tsx'
import { PreviewCounts } from './PreviewCounts.tsx'
import { usePreview } from './usePreview.ts'
import type { ConditionOwner } from './useThresholdsAddress.ts'

const DRAWN_DAYS = 30

interface Props {
  readonly owner: ConditionOwner
  /** undefined while the form is not complete. */
  readonly body: ConditionBody | undefined
  readonly field: ConditionField | undefined
}

/** What the condition in the form would have done: how often, on which devices, for how long, and over which values. */
export function ConditionPreview({ owner, body, field }: Props) {
  const { month, quarter, isOld } = usePreview(body)
  const period = useLastDays()
  const drawnDeviceId = 'deviceId' in owner ? owner.deviceId : month.data?.devices[0]?.deviceId
  return (
    <section className="preview" aria-label="What would it have done?">
      <h3>What would it have done?</h3>
      {body === undefined ? (
        <EmptyNote title="Fill in field, operator and value" />
      ) : (
        <div aria-busy={isOld} data-old={isOld || undefined} className="preview-answer">
          <AsyncView query={month}>
            {(answer) => (
              <>
                <PreviewCounts month={answer} quarter={quarter.isPlaceholderData ? undefined : quarter.data} />
                <Reach answer={quarter.data ?? answer} />
                <Devices answer={answer} isOfModel={'modelId' in owner} />
              </>
            )}
          </AsyncView>
        </div>
      )}
      {field && drawnDeviceId !== undefined && (
        <PreviewChart
          deviceId={drawnDeviceId}
          deviceName={'modelId' in owner ? month.data?.devices[0]?.deviceName : undefined}
          fieldId={field.id as FieldId}
          name={field.name}
          unit={field.unit ?? undefined}
          period={period}
          level={body?.valueDec ?? undefined}
          stretches={body === undefined ? [] : (month.data?.stretches ?? [])}
        />
      )}
    </section>
  )
}

/** Said once, so that everybody knows what the numbers leave out. */
function Reach({ answer: { since, skippedDeviceCount, counts } }: { readonly answer: Previewed }) {
  if (since === null) return <p className="dim">There are no readings of this field.</p>
  const longest = counts.at(-1)
  const isPartial = longest !== undefined && Date.parse(since) > Date.now() - longest.days * DAY_MS
  return (
    <>
      {isPartial && (
        <p className="dim">
          Readings reach back to {formatMinute(since)}: {longest.timesMet === 1 ? 'once' : `${longest.timesMet} times`}{' '}
          since then.
        </p>
      )}
      {skippedDeviceCount > 0 && <p className="dim">{skippedDeviceCount} further devices were not looked at.</p>}
    </>
  )
}

function Devices({ answer: { devices }, isOfModel }: { readonly answer: Previewed; readonly isOfModel: boolean }) {
  if (!isOfModel || devices.length === 0) return null
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

/** The period that is drawn, the same for as long as the form is open. */
function useLastDays(): Period {
  return useMemo(() => {
    const to = new Date()
    return { from: new Date(to.getTime() - DRAWN_DAYS * DAY_MS), to }
  }, [])
}
