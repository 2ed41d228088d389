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
 * Recently opened devices that match, then the others that the server found; each once. The server knows more words of a
 * device than its name, and letters by others.
 *
 * @param isAnswer whether what the server found is for what is typed, and not for the letters before
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
    // A device that the server has just found has its present name, the history the one it was opened with.
    .map(({ guid, name }) => ({ guid, name: known.get(guid)?.name ?? name, address: known.get(guid)?.address ?? '' }))
    .filter(matches)
    .map((device) => ({ ...device, isRecent: true }))
  const shown = new Set(first.map(({ guid }) => guid))
  const others = fleet
    .filter((device) => matches(device) && !shown.has(device.guid))
    .map(({ guid, name, address }) => ({ guid, name, address, isRecent: false }))
  return [...first, ...others]
}
