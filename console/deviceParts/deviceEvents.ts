import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceEvent } from '#contract/http/live.ts'

/** It applies a live event to a device: the last event only moves forwards, everything else takes the new value. */
export function withDeviceEvent(device: Device, event: DeviceEvent): Device {
  if (device.id !== event.id) return device
  return { ...device, ...event, lastEvent: later(device.lastEvent, event.lastEvent) }
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(other) > Date.parse(one) ? other : one
}
