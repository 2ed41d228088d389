import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { listAlerts } from '#contract/http/alerting/alerts.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'

export interface LinkedAlert {
  readonly id: AlertId
  readonly text: string
}

interface Props {
  readonly label: string
  readonly deviceId: DeviceId
  readonly linked: LinkedAlert | undefined
  readonly value: AlertId | undefined
  readonly error?: ReactNode
  readonly onChange: (id: AlertId | undefined) => void
}

export function AlertPicker({ label, deviceId, linked, value, error, onChange }: Props) {
  const alerts = useCall(listAlerts, { deviceId })
  const rows = alerts.data === undefined ? [] : Array.isArray(alerts.data) ? alerts.data : alerts.data.rows
  const choices = rows.map(({ id, created, title }) => ({
    value: String(id),
    label: `${formatMinute(created)} · ${title}`,
  }))
  const isListed = linked === undefined || choices.some((choice) => choice.value === String(linked.id))
  return (
    <Select
      label={label}
      error={error}
      data={isListed ? choices : [{ value: String(linked.id), label: linked.text }, ...choices]}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : (Number(id) as AlertId))}
      searchable
      clearable
      nothingFoundMessage={alerts.isError ? 'Could not be loaded' : alerts.isPending ? 'Loading…' : 'No alerts'}
      maxDropdownHeight={240}
    />
  )
}
