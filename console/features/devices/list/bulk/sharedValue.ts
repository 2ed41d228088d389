import type { NumberSetting } from '#console/deviceParts/settings/settingNumbers.ts'
import { onStep } from '#console/ui/number/NumberField.tsx'
import { withUnit } from '#console/ui/number/NumberSlider.tsx'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { BulkChange, ComparedDevice } from './bulkSettings.ts'

interface Shared {
  /** A choice begins at what all of the devices report, otherwise at the default (rules/setup 3). */
  readonly startAt: number
  readonly text: string
}

export function sharedOf(
  devices: readonly ComparedDevice[],
  { kind, which }: Extract<BulkChange, { readonly which: unknown }>,
  { key, min, max, step, default: byDefault }: NumberSetting<string>,
): Shared {
  const values = devices.flatMap(({ present }) =>
    present
      .filter(({ section, number }) => section === kind && (which === 'all' || which === number))
      .flatMap(({ values: { [key]: value } }) => (typeof value === 'number' ? [value] : [])),
  )
  if (values.length === 0) return { startAt: byDefault, text: UNKNOWN_TEXT }
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  if (lowest !== highest)
    return { startAt: byDefault, text: `${withUnit(lowest, undefined)}–${withUnit(highest, undefined)}` }
  return { startAt: onStep(lowest, { min, max, step }), text: withUnit(lowest, undefined) }
}
