import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import { type LightKind, lightSpans, READING_HOLDS_MS } from '#domain/darkness/minutes/darkMinutes.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { DarkPlace } from '#server/darkness/dayCounts.ts'
import { plannedWithin } from '#server/darkness/pastLight.ts'
import type { Given } from '#server/features/feature.ts'
import type { FieldReading } from './tiles.ts'

const LIGHT_FIELDS: readonly string[] = ['backlight_level', 'panel_light']

/** Judges the displays at a moment as dark minutes count its second; undefined where that is unknown. */
export async function lightThen(
  pool: Given['pool'],
  place: DarkPlace | undefined,
  readings: readonly FieldReading[],
  at: Date,
): Promise<LightKind | undefined> {
  if (!place || place.displayNumbers.length === 0) return undefined
  const planned = await plannedWithin(pool, place, { fromMs: at.getTime(), toMs: at.getTime() })
  const displays = place.displayNumbers.map((number) =>
    readings
      .filter(({ numbered }) => numbered.number === number && LIGHT_FIELDS.includes(numbered.field.name))
      .map(({ at: readAt, value, numbered }) => ({
        atMs: readAt.getTime(),
        percent: Number(value),
        isMeasured: numbered.field.name === 'panel_light',
      })),
  )
  const [span] = lightSpans({ fromMs: at.getTime(), toMs: at.getTime() + SECOND_MS }, planned, displays)
  return span && span.kind !== 'unknown' ? span.kind : undefined
}

/** Reads whether the UPS had reported battery shortly before; undefined when it had not reported. */
export function onBatteryThen(readings: readonly FieldReading[], at: Date): boolean | undefined {
  const status = readings.find(({ numbered }) => numbered.wireName === 'u_status')
  if (!status || at.getTime() - status.at.getTime() >= READING_HOLDS_MS) return undefined
  return status.value !== UPS_ON_GRID
}
