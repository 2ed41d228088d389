/** The status that an operator gives a device (rules/states 1). Only a running client update sets 6. */
export const DEVICE_STATUS = {
  pending: 1,
  active: 2,
  maintenance: 3,
  deactivated: 4,
  outOfOrder: 5,
  updating: 6,
} as const
export type DeviceStatusId = (typeof DEVICE_STATUS)[keyof typeof DEVICE_STATUS]

/** An operator can choose these from any state (rules/states 2), in the order of the dropdown. */
export const SETTABLE_STATUS_IDS: readonly DeviceStatusId[] = [
  DEVICE_STATUS.active,
  DEVICE_STATUS.maintenance,
  DEVICE_STATUS.deactivated,
  DEVICE_STATUS.outOfOrder,
]

/** Active is shown as "Paired" everywhere. */
export const DEVICE_STATUSES: readonly { readonly id: DeviceStatusId; readonly name: string }[] = [
  { id: 1, name: 'Pending' },
  { id: 2, name: 'Paired' },
  { id: 3, name: 'Maintenance' },
  { id: 4, name: 'Deactivated' },
  { id: 5, name: 'Out of order' },
  { id: 6, name: 'Updating' },
]

export function deviceStatusName(statusId: number): string {
  return DEVICE_STATUSES.find(({ id }) => id === statusId)?.name ?? `Status ${statusId}`
}

export const CONNECTION_STATUS = { offline: 0, online: 1 } as const
export type ConnectionStatusId = 0 | 1

export const CONNECTION_STATUSES: readonly { readonly id: ConnectionStatusId; readonly name: string }[] = [
  { id: 1, name: 'Synced' },
  { id: 0, name: 'Offline' },
]

export function connectionStatusName(connStatusId: number): string {
  return CONNECTION_STATUSES.find(({ id }) => id === connStatusId)?.name ?? `Status ${connStatusId}`
}
