import { showValue } from '#domain/catalogue/displayRules.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { PRETEND_DRIVER } from '#domain/drivers/drivers.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { type DriverAssignments, HardwareError } from '../hardware.ts'
import { readingAt } from './readingAt.ts'
import type { World } from './world.ts'

/** The text for a person who tests a part shows only this many fields. */
const FIELDS_TOLD = 4

/** Simulated hardware reports that it is simulated, whatever drivers the console chose. */
export function pretendDrivers(world: () => World, now: () => number): DriverAssignments {
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
      const reading: Readonly<Record<string, number | string | undefined>> | undefined = isFitted
        ? readingAt(world(), part, now())
        : undefined
      const fields = fieldsOfComponent(eventTypeByTopic(part.topic)?.id ?? 0, part.number)
      const { modelId } = world().fitting
      const said = fields.flatMap((one) => {
        const { text, unit, isKnown } = showValue(one, reading?.[one.field.name], modelId as DeviceModelId)
        return isKnown ? [`${one.field.label} ${text}${unit ? ` ${unit}` : ''}`] : []
      })
      if (said.length === 0) throw new HardwareError('This part is pretend, and pretends not to answer.')
      return `This part is pretend. It says: ${said.slice(0, FIELDS_TOLD).join(', ')}.`
    },
  }
}
