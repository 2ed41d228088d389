import { ColorSwatch, Group, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { faintIn } from '#console/ui/chart/series/colourContrast.ts'
import {
  colourName,
  drawnColour,
  METRIC_COLOURS,
  type MetricColour,
  readColour,
} from '#console/ui/chart/series/metricColours.ts'
import { useScheme } from '#console/ui/style/scheme.ts'

interface Props {
  readonly label: string
  readonly value: MetricColour
  readonly onChange: (colour: MetricColour) => void
}

export function ColourField({ label, value, onChange }: Props) {
  const scheme = useScheme()
  const [written, setWritten] = useState<string>()
  const choose = (colour: MetricColour) => {
    setWritten(undefined)
    onChange(colour)
  }
  const write = (text: string) => {
    setWritten(text)
    const read = readColour(text.trim())
    if (read !== undefined) onChange(read)
  }
  const isRead = written === undefined || readColour(written.trim()) !== undefined
  const faint = faintIn((theme) => drawnColour(value, theme))
  return (
    <>
      <Radio.Group label={label} value={value} onChange={choose}>
        <Group gap={8} mt={4}>
          {METRIC_COLOURS.map((colour) => (
            <Radio.Card key={colour} value={colour} aria-label={colourName(colour)} className="colour-choice">
              <ColorSwatch color={drawnColour(colour, scheme)} size={22} radius={4} withShadow={false} />
            </Radio.Card>
          ))}
        </Group>
      </Radio.Group>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <input
          type="color"
          className="colour-own"
          aria-label="Pick any colour"
          // The input shows the drawn colour: an offered colour has a darker twin on white.
          value={drawnColour(value, scheme).toLowerCase()}
          onChange={({ currentTarget }) => choose(readColour(currentTarget.value) ?? value)}
        />
        <TextInput
          aria-label="Any colour, as #rrggbb"
          className="colour-written"
          value={written ?? `#${value}`}
          error={isRead ? undefined : 'Six digits, such as #1485cc'}
          onChange={({ currentTarget }) => write(currentTarget.value)}
        />
      </Group>
      {faint.length > 0 && (
        <p className="colour-warning" role="status">
          Hard to see in the {faint.join(' and the ')} theme.
        </p>
      )}
    </>
  )
}
