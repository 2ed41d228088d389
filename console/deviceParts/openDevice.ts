import { createContext, use } from 'react'
import type { Device } from '#contract/http/devices/devices.ts'

export const OpenDevice = createContext<Device | undefined>(undefined)

/** The header keeps this device current. It works only below `DeviceScreen`. */
export function useOpenDevice(): Device {
  const device = use(OpenDevice)
  if (!device) throw new Error('useOpenDevice outside the page of a device')
  return device
}
