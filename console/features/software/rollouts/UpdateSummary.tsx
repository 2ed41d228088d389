import { Panel } from '#console/ui/Panel.tsx'
import type { ClientUpdateDetails } from '#contract/http/software/rollouts.ts'
import { formatWholeDuration } from '#domain/units/durations.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { countOf, devicesText, PROGRESS_PARTS } from './rolloutLabels.ts'
import { UpdateProgress } from './UpdateProgress.tsx'

export function UpdateSummary({ update }: { readonly update: ClientUpdateDetails }) {
  const { counts, deviceCount, haltFailurePercent, waitMinutes, observeMinutes, waveCount } = update
  return (
    <Panel title="Progress" meta={devicesText(deviceCount)} isPadded>
      <UpdateProgress counts={counts} name="All devices" />
      <dl className="update-counts">
        {PROGRESS_PARTS.map((part) => (
          <div key={part.id} data-part={part.id} data-none={countOf(part, counts) === 0 || undefined}>
            <dt>{part.word}</dt>
            <dd>{formatNumber(countOf(part, counts))}</dd>
          </div>
        ))}
      </dl>
      <p className="update-rules">
        {haltFailurePercent === null
          ? 'It does not halt automatically.'
          : `It halts automatically when ${haltFailurePercent} % of the devices that were reached have failed.`}
        {observeMinutes > 0 &&
          ` A device is observed until its new version has run for ${formatWholeDuration(observeMinutes)} in one piece.`}
        {waveCount > 1 && ` ${formatWholeDuration(waitMinutes)} between waves.`}
      </p>
    </Panel>
  )
}
