import { Select } from '@mantine/core'
import { CONNECTION_STATUSES, type ConnectionStatusId } from '#domain/devices/status.ts'

const CHOICES = CONNECTION_STATUSES.map(({ id, name }) => ({ value: String(id), label: name }))

interface Props {
  readonly value: ConnectionStatusId | undefined
  readonly onChange: (value: ConnectionStatusId | undefined) => void
}

export function ConnectionPicker({ value, onChange }: Props) {
  return (
    <Select
      className="field"
      aria-label="Connection"
      placeholder="Connection"
      data={CHOICES}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : (Number(chosen) as ConnectionStatusId))}
      clearable
    />
  )
}
