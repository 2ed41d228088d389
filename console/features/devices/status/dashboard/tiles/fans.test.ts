import { expect, test } from 'vitest'
import { backlight } from '#console/testing/tiles.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { joinedFans } from './fans.ts'
import { type Measured, statusGroup } from './tileGroups.ts'
import { groupTiles } from './tiles.ts'

const fansOf = (speeds: Readonly<Record<string, number | null>>) => {
  const items = Object.entries(speeds).flatMap(([wireName, field_value]) => {
    const numbered = NUMBERED_FIELDS.find((one) => one.wireName === wireName)
    return numbered
      ? [
          backlight({
            field_id: numbered.id,
            field_name: numbered.name,
            field_value,
            ...(field_value === null && { value_dt: null }),
          }),
        ]
      : []
  })
  return joinedFans(groupTiles(items, new Map()).map(statusGroup)[0]?.measured[0] as Measured)
}

test('fans of one display that run alike are one value, with their target', () => {
  const fans = fansOf({ d_fan1_speed: 2500, d_fan2_speed: 2610, d_fan1_speed_target: 70, d_fan2_speed_target: 70 })
  expect(fans).toMatchObject({ value: '2,555', target: '70', unknownCount: 0 })
  expect(fans.tile.name).toBe('Fans 1–2')
})

test('a fan that stands is not hidden by the others, and an unknown one is counted as unknown', () => {
  expect(fansOf({ d2_fan1_speed: 0, d2_fan2_speed: 2610, d2_fan3_speed: null })).toMatchObject({
    value: '0–2,610',
    target: undefined,
    unknownCount: 1,
  })
  expect(fansOf({ d2_fan1_speed: null, d2_fan2_speed: null }).value).toBeUndefined()
})
