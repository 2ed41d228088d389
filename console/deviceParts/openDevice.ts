import { createContext, use } from 'react'
import type { Device } from '#contract/http/devices/devices.ts'

export const OpenDevice = createContext<Device | undefined>(undefined)

export function useOpenDevice(): Device {
  const device = use(OpenDevice)
  if (!device) throw new Error('useOpenDevice outside the page of a device')
  return device
}
