import type { DeviceGuid } from '#domain/ids.ts'

const PAGE = /\/(?:visits|devices)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/i

/** Returns the device whose page a scanned code names. Whoever printed it, only the device counts, never its address. */
export const scannedDevice = (text: string): DeviceGuid | undefined =>
  PAGE.exec(text)?.[1]?.toLowerCase() as DeviceGuid | undefined
