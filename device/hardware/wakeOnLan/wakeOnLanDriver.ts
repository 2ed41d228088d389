import { WAKE_ON_LAN } from '#domain/drivers/wakeOnLanDescription.ts'
import { driver } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { wakeByNetwork } from '../wire/wakeByNetwork.ts'

const ONLY_PORT = 1

export const wakeOnLanDriver = driver(WAKE_ON_LAN, {
  open: ({ mac }) => {
    const wake = () =>
      wakeByNetwork(mac).catch((error: Error) => {
        throw new HardwareError(`Nobody could be woken by the network (${error.message}).`)
      })
    return {
      // Nothing answers such a frame, so another driver must report whether it is awake.
      read: async () => ({ values: {} }),
      test: async () =>
        `Wakes ${mac} when it is switched on. Nobody answers that, so nothing can be tried without waking it.`,
      commands: {
        display: { switchOn: wake },
        relay: {
          set: async (port, isOn) => {
            if (port !== ONLY_PORT) throw new HardwareError('Only port 1 wakes somebody.')
            if (!isOn) throw new HardwareError('The network wakes a computer, and cannot switch it off.')
            await wake()
          },
        },
      },
    }
  },
})
