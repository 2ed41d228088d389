import type { DeviceSettings } from '#contract/mqtt/settings.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { buttonValue } from '#domain/displays/buttonRules.ts'
import { entryTopic, type Readings } from './readHardware.ts'

const BUTTONS = entryTopic({ topic: 'yocto', number: 1 })

/**
 * Adds to the readings what every active rule of the five-button module decides (`yocto_{n}`); while the measurement is
 * unknown, so is the button. A button without an active rule keeps the module's value.
 */
export function withButtonRules(readings: Readings, components: DeviceSettings['components']): Readings {
  const rules = components.flatMap(({ buttonRules }) => buttonRules ?? []).filter(({ active }) => active)
  if (rules.length === 0) return readings
  const readingOf = (measurement: number) => {
    const numbered = numberedFieldById(measurement)
    const value =
      numbered &&
      readings.get(entryTopic({ topic: numbered.type.topic, number: numbered.number }))?.[numbered.field.name]
    return typeof value === 'number' ? value : undefined
  }
  const decided = Object.fromEntries(rules.map((rule) => [String(rule.number), buttonValue(rule, readingOf)]))
  return new Map(readings).set(BUTTONS, { ...readings.get(BUTTONS), ...decided })
}
