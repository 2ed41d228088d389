import { CATEGORY, categoryOfModel } from './componentFields.ts'

interface Fitted {
  readonly componentModelId: number
  readonly number: number
  readonly als?: number | null
}

/**
 * Returns the number of the ambient sensor that controls each display (rules/components 13): the linked one. A sensor
 * without a link controls the display of its own number, with whose report its values come.
 */
export function sensorOfDisplays(components: readonly Fitted[]): ReadonlyMap<number, number | undefined> {
  const fitted = (categoryId: number) =>
    components.filter(({ componentModelId }) => categoryOfModel(componentModelId)?.id === categoryId)
  const displays = fitted(CATEGORY.display)
  const sensors = new Set(fitted(CATEGORY.ambientSensor).map(({ number }) => number))
  const linked = new Set(displays.map(({ als }) => als))
  const sensorOf = ({ number, als }: Fitted) => {
    const sensor = als ?? (linked.has(number) ? undefined : number)
    return sensor !== undefined && sensors.has(sensor) ? sensor : undefined
  }
  return new Map(displays.map((display) => [display.number, sensorOf(display)]))
}
