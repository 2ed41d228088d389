import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { NumberField } from '#console/ui/number/NumberField.tsx'
import { percentBounds, withOneMoreWave } from '../planValues.ts'
import type { PlanPartProps } from './DeviceChoice.tsx'

/** Each wave after the first group reaches this share of the remaining devices, and the last one all of them. */
export function WaveFields({ values: { wavePercents }, set }: PlanPartProps) {
  const more = withOneMoreWave(wavePercents)
  return (
    <fieldset className="plan-group">
      <legend>Then</legend>
      <ol className="plan-waves">
        {wavePercents.map((percent, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its place in the order
          <li key={index} className="plan-line">
            <span>up to</span>
            <NumberField
              label={`Share of wave ${index + 1}`}
              value={percent}
              onChange={(next) => set({ wavePercents: wavePercents.with(index, next) })}
              {...percentBounds(wavePercents, index)}
              step={1}
              unit="%"
            />
            <IconButton
              icon={IconTrash}
              iconSize={15}
              tip="Remove"
              size={26}
              aria-label={`Remove the wave of ${percent} %`}
              onClick={() => set({ wavePercents: wavePercents.toSpliced(index, 1) })}
            />
          </li>
        ))}
        <li className="plan-line">
          <span>all remaining</span>
        </li>
      </ol>
      <ActionButton
        icon={IconPlus}
        iconSize={14}
        disabled={more === wavePercents}
        onClick={() => set({ wavePercents: more })}
      >
        Add a wave
      </ActionButton>
    </fieldset>
  )
}
