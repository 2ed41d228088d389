import { Select } from '#console/ui/kit/laterFields.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const MOST_ZONES = 100

interface Props {
  readonly label?: string
  readonly value: string
  readonly onChange: (timeZone: string) => void
}

/** A zone that the browser does not know stays selected. */
export function TimeZonePicker({ label = 'Time zone', value, onChange }: Props) {
  return (
    <Select
      label={label}
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
