import { NOW_CHOICES } from '#console/pickers/AttentionPicker.tsx'
import { TILE_WORDS } from '#console/pickers/deviceFilters.tsx'
import { type Address, address } from '#console/router/addressText.ts'
import type { DeviceFilter } from '#contract/call/listOptions.ts'
import { ALERT_STATUS, CONDITION_STATE } from '#domain/alerts/alertLabels.ts'

interface ListFilter {
  readonly list: 'devices' | 'alerts' | 'incidents'
  readonly label: string
  readonly to: Address
}

const devices = (label: string, filter: DeviceFilter): ListFilter => ({
  list: 'devices',
  label,
  to: address('/devices', { filter }),
})
const alerts = (label: string, filter: Parameters<typeof address<'/alerts'>>[1]): ListFilter => ({
  list: 'alerts',
  label,
  to: address('/alerts', filter),
})
const incidents = (label: string, filter: Parameters<typeof address<'/incidents'>>[1]): ListFilter => ({
  list: 'incidents',
  label,
  to: address('/incidents', filter),
})

export const LIST_FILTERS: readonly ListFilter[] = [
  ...NOW_CHOICES.map(({ value, label }) => devices(label, value)),
  ...Object.entries(TILE_WORDS).map(([filter, label]) => devices(label, filter as DeviceFilter)),
  incidents('Open incidents', {}),
  incidents('Active incidents', { state: 'active' }),
  incidents('Incidents without owner', { taken: 'no' }),
  alerts('Open alerts', { statusId: ALERT_STATUS.opened }),
  alerts('Active alerts', { conditionStateId: CONDITION_STATE.active }),
  alerts('Critical alerts', { severityId: 1 }),
  alerts('Resolved alerts, not closed', { conditionStateId: CONDITION_STATE.notActive }),
  alerts('Alerts of the last 24 hours', { filter: 'last24h' }),
]
