import type { ReactNode } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { UpdatePreview } from '#contract/http/software/rollouts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { PlanValues } from '../planValues.ts'
import { devicesText } from '../rolloutLabels.ts'
import type { PlanPreview } from './usePlanPreview.ts'

interface Props {
  readonly preview: PlanPreview
  readonly version: string
  readonly values: Pick<PlanValues, 'waitMinutes' | 'observeMinutes'>
  readonly children: ReactNode
}

export function PlanPreviewPanel({ preview: { result, isOld }, version, values, children }: Props) {
  // The other fields of the form are always valid.
  if (result.error?.code === 'invalid_request') {
    return (
      <Panel title="What this means now" isPadded>
        <FormNote kind="failed" text={deviceMessages.firstGroupNotChosen} />
        {children}
      </Panel>
    )
  }
  return (
    <Panel title="What this means now" isPadded>
      <AsyncView query={result}>
        {(preview) => (
          <div className="plan-preview" data-old={isOld || undefined} aria-busy={isOld}>
            <p className="plan-total" role="status">
              <b>{formatNumber(preview.updateCount)}</b> of {devicesText(preview.chosenCount)} will be updated to{' '}
              {version}
            </p>
            <Counts title="Of these" lines={partsOf(preview)} />
            <Counts title="Left out" lines={leftOutOf(preview)} />
            {preview.waves.length > 0 && <Waves waves={preview.waves} values={values} />}
          </div>
        )}
      </AsyncView>
      {children}
    </Panel>
  )
}

type Line = readonly [count: number, words: string]

const partsOf = (preview: UpdatePreview): readonly Line[] => [
  [preview.offlineCount, 'offline: updated when they come back'],
  [preview.downgradeCount, 'run a newer version and go back'],
  [preview.unknownVersionCount, 'have not reported their version'],
]
const leftOutOf = (preview: UpdatePreview): readonly Line[] => [
  [preview.alreadyThereCount, 'run this version already'],
  [preview.beingUpdatedCount, 'are being updated by another update'],
  [preview.deactivatedCount, 'deactivated'],
]

function Counts({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  const present = lines.filter(([count]) => count > 0)
  if (present.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="plan-counts">
        {present.map(([count, words]) => (
          <li key={words}>
            <b>{formatNumber(count)}</b> {words}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface WavesProps {
  readonly waves: readonly number[]
  readonly values: Pick<PlanValues, 'waitMinutes' | 'observeMinutes'>
}

function Waves({ waves, values: { waitMinutes, observeMinutes } }: WavesProps) {
  const total = waves.reduce((sum, count) => sum + count, 0)
  let before = 0
  return (
    <table className="plan-wave-table" aria-label="Devices in each wave">
      <thead>
        <tr>
          <th scope="col">Wave</th>
          <th scope="col">Begins</th>
          <th scope="col">Devices</th>
          <th scope="col">Updated by then</th>
        </tr>
      </thead>
      <tbody>
        {waves.map((count, index) => {
          before += count
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its place in the order
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              <td>
                {index === 0 ? 'at once' : `${formatNumber(observeMinutes + waitMinutes)} min after wave ${index}`}
              </td>
              <td>{formatNumber(count)}</td>
              <td>{formatNumber(Math.round((before / total) * 100))} %</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
