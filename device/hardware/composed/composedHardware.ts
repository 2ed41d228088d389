import type { DriverReport } from '#contract/mqtt/drivers.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { type Fitting, type Hardware, HardwareError } from '../hardware.ts'
import { type ChosenDriver, type ChosenDrivers, judgeDesiredSections } from './chosenDrivers.ts'
import { composedParts, computerOf } from './composedParts.ts'
import { DRIVERS_OF_CLIENT } from './drivers.ts'
import { PartDrivers, type PartDriversDeps } from './PartDrivers.ts'

interface ComposedDeps extends PartDriversDeps {
  /** Serves the parts that have no driver. */
  readonly base: Hardware
  /** The drivers of the device's own file; the console cannot change a part that is listed there. */
  readonly own: ChosenDrivers
  /** The networks of the device's own file that the console's drivers may connect to. */
  readonly allowedNetworks: readonly string[]
}

/** `driverReport` takes no longer text, and a refusal that names many networks would be longer. */
const LONGEST_REFUSAL = 500

const CONSOLE_DRIVERS = DRIVERS_OF_CLIENT.map(({ description }) => description)
  .filter(({ chosenBy }) => chosenBy === 'console')
  .map(({ name }) => name)

/** A device made of parts: its own file says which driver each has, and the console may choose the others. */
export function composeHardware({ base, own, allowedNetworks, ...deps }: ComposedDeps): Hardware {
  const drivers = new PartDrivers(deps)
  let judged = judgeDesiredSections([], allowedNetworks)
  drivers.choose(own)

  const fit = (fitting: Fitting) => {
    base.fit(fitting)
    const before = judged.refusals
    judged = judgeDesiredSections(fitting.drivers ?? [], allowedNetworks)
    for (const [part, reason] of judged.refusals) {
      if (before.get(part) !== reason) deps.log(`The driver that the console chose for ${part} is not used: ${reason}.`)
    }
    drivers.choose(new Map([...judged.chosen, ...own]))
    sayUnreported(fitting)
  }

  let unreported = ''
  /** A part of the file is reported as a component of the device, but only if the console lists it. */
  const sayUnreported = ({ modelId, components }: Fitting) => {
    const reported = reportedComponents(modelId as DeviceModelId, components).map(partKey)
    const missing = [...own.keys()].filter((key) => !reported.includes(key)).join(', ')
    if (missing !== unreported && missing) {
      deps.log(`Not reported, because the console has no such component for this device: ${missing}.`)
    }
    unreported = missing
  }

  /** The file takes precedence for a part, so it is added last. */
  const told = () => {
    const parts = new Map<string, DriverReport['parts'][number]>()
    const put = (part: string, setBy: 'file' | 'console', chosen: readonly ChosenDriver[], refusal: string | null) => {
      const names = chosen.map(({ driver }) => driver.description.name)
      parts.set(part, { part, setBy, drivers: names, refusal: refusal?.slice(0, LONGEST_REFUSAL) ?? null })
    }
    for (const [part, reason] of judged.refusals) put(part, 'console', [], reason)
    for (const [part, chosen] of judged.chosen) put(part, 'console', chosen, null)
    for (const [part, chosen] of own) put(part, 'file', chosen, null)
    return { known: CONSOLE_DRIVERS, allowedNetworks: [...allowedNetworks], parts: [...parts.values()] }
  }

  return {
    ...base,
    ...composedParts(base, drivers.partOf, drivers.readableOf),
    // This is a getter, because the drivers determine whether the computer can be restarted.
    get computer() {
      return computerOf(base, drivers.partOf)
    },
    fit,
    dated: drivers.dated,
    drivers: {
      told,
      test: async (part) => {
        const key = partKey(part)
        const refusal = own.has(key) ? undefined : judged.refusals.get(key)
        if (refusal) throw new HardwareError(`The driver of ${key} is not used: ${refusal}.`)
        return drivers.test(part)
      },
    },
    close: () => drivers.choose(new Map()),
  }
}
