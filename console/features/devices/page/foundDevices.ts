import type { DeviceGuid } from '#domain/ids.ts'
import type { ViewedDevice } from './viewHistory.ts'

export interface FoundDevice extends ViewedDevice {
  readonly address: string
  readonly isRecent: boolean
}

interface FleetDevice extends ViewedDevice {
  readonly address: string
}

/**
 * It lists matching devices that were opened recently, then the others that the server found, each once. The server
 * also searches other fields than the name and matches letters differently.
 *
 * @param isAnswer whether the server's result is for the current text, and not for an earlier one
 */
export function foundDevices(
  typed: string,
  recent: readonly ViewedDevice[],
  fleet: readonly FleetDevice[],
  isAnswer: boolean,
): readonly FoundDevice[] {
  const wanted = typed.trim().toLocaleLowerCase()
  const known = new Map<DeviceGuid, FleetDevice>(fleet.map((device) => [device.guid, device]))
  const matches = ({ guid, name }: ViewedDevice) =>
    (isAnswer && known.has(guid)) || name.toLocaleLowerCase().includes(wanted)
  const first = recent
    // The server's result has the present name, the history the name at the last visit.
    .map(({ guid, name }) => ({ guid, name: known.get(guid)?.name ?? name, address: known.get(guid)?.address ?? '' }))
    .filter(matches)
    .map((device) => ({ ...device, isRecent: true }))
  const shown = new Set(first.map(({ guid }) => guid))
  const others = fleet
    .filter((device) => matches(device) && !shown.has(device.guid))
    .map(({ guid, name, address }) => ({ guid, name, address, isRecent: false }))
  return [...first, ...others]
}
