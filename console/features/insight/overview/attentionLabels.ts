import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { type Address, address } from '#console/router/addressText.ts'
import type { AttentionRow } from '#contract/http/insight/overview.ts'
import type { AttentionGroup } from '#domain/attention/attention.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { toShownAddress, townOf } from '#domain/devices/site.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'

export type Chip = AttentionGroup | 'all'

/** The chips in their order. A chip without rows is left out, except for the first four, which say that all is well. */
export const CHIP_LABELS: Readonly<Record<Chip, string>> = {
  all: 'All',
  dark: 'Dark',
  silent: 'Not reporting',
  alerted: 'Alerts',
  onBattery: 'On battery',
  other: 'Other',
  rollout: 'Rollouts',
  excused: 'Also in maintenance or out of order',
}

const LISTED_KINDS = { dark: 'dark', silent: 'silent', onBattery: 'onBattery' } as const

const addressLine = (customerName: string, place: string): string =>
  [customerName, townOf(place)].filter(Boolean).join(' · ')

/** A single device is shown with its customer and place, several with their number and first names. */
export function whereLabels({ devices, deviceCount, updateId }: AttentionRow) {
  const [first] = devices
  if (deviceCount === 1 && first) {
    const more = addressLine(first.customerName, first.address)
    return { name: first.deviceName, more, whole: toShownAddress(first.address), guid: first.deviceGuid }
  }
  const name = `${formatNumber(deviceCount)} device${deviceCount === 1 ? '' : 's'}`
  if (updateId !== null) return { name, more: 'All customers' }
  const rest = deviceCount > devices.length ? ', …' : ''
  return { name, more: devices.map(({ deviceName }) => deviceName).join(', ') + rest }
}

interface RowAction {
  readonly label: string
  readonly to: Address
  /** It stands out, because it is what the diagnosis recommends. */
  readonly isStep: boolean
}

/** The one button of a row: the recommended step, or else what shows more. */
export function rowAction(row: AttentionRow, customerId: CustomerId | undefined, maySet: boolean): RowAction {
  const { devices, deviceCount, step, alertId, updateId } = row
  const [first] = devices
  if (updateId !== null) {
    return {
      label: 'Review',
      to: address('/device-software/rollouts/$updateId', { updateId: String(updateId) }),
      isStep: false,
    }
  }
  if (step?.kind === 'chart' && alertId !== null) return { label: step.label, to: alertDetails(alertId), isStep: false }
  if (step && first && maySet && deviceCount === 1) {
    if (step.kind === 'visit') {
      const to = address('/devices/$guid/maintenance', { guid: first.deviceGuid, entry: 'new' })
      return { label: step.label, to, isStep: true }
    }
    const setup = hasFixedSetup(first.deviceModelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup'
    const to = address(setup, { guid: first.deviceGuid }, sectionAnchor(step.control ?? ''))
    return { label: step.label, to, isStep: true }
  }
  return { label: 'Open', to: rowAddress(row, customerId), isStep: false }
}

/** It leads to the incident, or else to the device or the list of the devices. */
export function rowAddress(row: AttentionRow, customerId: CustomerId | undefined): Address {
  const { devices, deviceCount, incidentId, kind } = row
  const [first] = devices
  if (incidentId !== null) return incidentPage(incidentId)
  if (deviceCount === 1 && first) return address('/devices/$guid/status', { guid: first.deviceGuid })
  const filter = kind !== null && kind in LISTED_KINDS ? (kind as keyof typeof LISTED_KINDS) : (kind ?? 'wrong')
  return address('/devices', { filter, customerId })
}
