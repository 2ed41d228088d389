import { attentionLabel, WRONG_FILTERS, type WrongFilter, wrongOf } from '#console/deviceParts/wrongLabels.ts'
import { Select } from '#console/ui/kit/laterFields.ts'
import type { DeviceFilter } from '#contract/call/listOptions.ts'

export const NOW_CHOICES = WRONG_FILTERS.map((value) => ({ value, label: attentionLabel(value) }))

interface Props {
  readonly value: WrongFilter | undefined
  readonly onChange: (value: WrongFilter | undefined) => void
}

/** The kinds are those that the Overview counts. */
export function NowPicker({ value, onChange }: Props) {
  return (
    <Select
      aria-label="Needs attention"
      placeholder="Needs attention"
      data={[...NOW_CHOICES]}
      value={value ?? null}
      onChange={(chosen) => onChange(wrongOf(chosen as DeviceFilter | undefined))}
      // The longest words have to fit on one line.
      comboboxProps={{ width: 250, position: 'bottom-start' }}
      clearable
    />
  )
}
