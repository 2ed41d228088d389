import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { PRETEND_DRIVER } from '#domain/drivers/drivers.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { type DriverDesk, HardwareError } from '../hardware.ts'
import { readingAt } from './readingAt.ts'
import type { World } from './world.ts'

/** What is said to a person who tests a part is not to be all of its fields. */
const FIELDS_TOLD = 4

/** What pretend hardware says of its drivers: that it is pretend, whatever the console chose. */
export function pretendDrivers(world: () => World, now: () => number): DriverDesk {
  const parts = () => {
    const { modelId, components } = world().fitting
    return reportedComponents(modelId as DeviceModelId, components)
  }
  return {
    told: () => ({
      known: [],
      allowedNetworks: [],
      parts: parts().map((part) => ({
        ...{ part: partKey(part), setBy: 'file' as const },
        ...{ drivers: [PRETEND_DRIVER], refusal: null },
      })),
    }),
    test: async (part) => {
      const isFitted = parts().some((one) => partKey(one) === partKey(part))
      const reading: Readonly<Record<string, unknown>> | undefined = isFitted
        ? readingAt(world(), part, now())
        : undefined
      const known = eventTypeByTopic(part.topic)?.fields.filter(({ name }) => reading?.[name] !== undefined) ?? []
      if (!reading || known.length === 0) throw new HardwareError('This part is pretend, and pretends not to answer.')
      const said = known
        .slice(0, FIELDS_TOLD)
        .map(({ name, label, unit }) => `${label} ${reading[name]}${unit ? ` ${unit}` : ''}`)
      return `This part is pretend. It says: ${said.join(', ')}.`
    },
  }
}
