import { Select } from '#console/ui/kit/laterFields.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const MOST_ZONES = 100

interface Props {
  readonly value: string
  readonly onChange: (timeZone: string) => void
}

/** A zone that the browser does not know stays selected. */
export function TimeZonePicker({ value, onChange }: Props) {
  return (
    <Select
      label="Time zone"
      data={ZONES.includes(value) ? ZONES : [value, ...ZONES]}
      searchable
      limit={MOST_ZONES}
      allowDeselect={false}
      nothingFoundMessage="Nothing found"
      value={value}
      onChange={(timeZone) => timeZone && onChange(timeZone)}
    />
  )
}
