import type { Hardware } from '#device/hardware/hardware.ts'
import type { Reading } from '#device/hardware/readings.ts'
import type { ReportedComponent } from '#domain/components/standardComponents.ts'

/** The readings of the components in one sample, by `entryTopic`; a component that did not answer is missing. */
export type Readings = ReadonlyMap<string, Reading>

/** The topic is relative to the device's root; component 1 has no number. */
export function entryTopic({ topic, number }: ReportedComponent): string {
  return number === 1 ? `events/${topic}` : `events/${topic}/${number}`
}

/** Reads every component; one that fails counts as not answering. */
export async function readHardware(
  hardware: Hardware,
  components: readonly ReportedComponent[],
  onFailed: (error: Error) => void,
): Promise<Readings> {
  const readings = new Map<string, Reading>()
  await Promise.all(
    components.map(async (component) => {
      try {
        const reading = await componentOf(hardware, component)?.read()
        if (reading) readings.set(entryTopic(component), { ...reading })
      } catch (error) {
        onFailed(error as Error)
      }
    }),
  )
  return readings
}

function componentOf(hardware: Hardware, { topic, number }: ReportedComponent) {
  switch (topic) {
    case 'device':
      return hardware.computer
    case 'display':
      return hardware.display(number)
    case 'ecu':
      return hardware.controller(number)
    case 'ups':
      return hardware.ups()
    case 'router':
      return hardware.networkSwitches()
    case 'power-switch':
      return hardware.powerSwitch()
    case 'relay':
      return hardware.relay(number)
    case 'router-relay':
      return hardware.routerRelay(number)
    case 'camera':
      return hardware.camera(number)
    case 'yocto':
      return hardware.buttons()
  }
}
