import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { NumberField } from '#console/ui/form/NumberField.tsx'
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
            <Tooltip label="Remove">
              <ActionIcon
                size={26}
                aria-label={`Remove the wave of ${percent} %`}
                onClick={() => set({ wavePercents: wavePercents.toSpliced(index, 1) })}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </li>
        ))}
        <li className="plan-line">
          <span>all remaining</span>
        </li>
      </ol>
      <Button
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={more === wavePercents}
        onClick={() => set({ wavePercents: more })}
      >
        Add a wave
      </Button>
    </fieldset>
  )
}
