import { expect, test } from 'vitest'
import { backlight } from '#console/testing/tiles.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { isBehind, statusGroup } from './tileGroups.ts'
import { groupTiles } from './tiles.ts'

const UNKNOWN_TO_US = 99_199 as FieldId
/** It builds every field of the catalogue as of a device that has every component, each of which is a group. */
const everything = NUMBERED_FIELDS.map(({ id, name, groupName }) =>
  backlight({ field_id: id, field_name: name, group_name: groupName }),
)
const groups = (items = everything) => groupTiles(items, new Map()).map(statusGroup)
const display = () => groups().find(({ name }) => name === 'Display')

test('every tile stands in exactly one place', () => {
  for (const group of groups()) {
    const placed = [
      ...group.measured
        .flatMap((one) => [one, ...(one.others ?? [])])
        .flatMap(({ tile, target }) => (target ? [tile, target] : [tile])),
      ...[...group.set, ...group.told].flatMap(({ tiles }) => tiles),
    ]
    expect(placed.map(({ fieldId }) => fieldId).toSorted((a, b) => a - b)).toEqual(
      group.tiles.map(({ fieldId }) => fieldId).toSorted((a, b) => a - b),
    )
  }
})

test('the fans of a display are one tile, each with its target, and settings that are read together are one line', () => {
  const [fans, ...none] = display()?.measured.filter(({ target }) => target) ?? []
  expect(none).toEqual([])
  expect(
    [...(fans ? [fans, ...(fans.others ?? [])] : [])].map(({ tile, target }) => [tile.name, target?.name]),
  ).toEqual([1, 2, 3, 4].map((fan) => [`Fan ${fan} speed`, `Fan ${fan} speed target`]))
  expect(display()?.set.map(({ label, tiles }) => [label, tiles.length])).toEqual([
    ['Brightness', 1],
    ['Contrast', 1],
    ['Gamma', 1],
    ['Red, green, blue', 3],
    ['Backlight automation', 1],
    ['Automatic backlight', 2],
    ['At ambient light', 2],
    ['Touch screen', 1],
  ])
})

test('a field that the catalogue does not know yet is a line', () => {
  const [group] = groups([backlight({ field_id: UNKNOWN_TO_US, field_name: 'Novelty' })])
  expect(group?.told.map(({ label }) => label)).toEqual(['Novelty'])
})

test('the age of a component is that of its newest reading', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString()
  const [group] = groups([
    backlight({ value_dt: at(1) }),
    backlight({ field_id: UNKNOWN_TO_US, value_dt: at(4) }),
    backlight({ field_id: (UNKNOWN_TO_US + 1) as FieldId, field_value: null, value_dt: null }),
  ])
  expect(group?.readAt?.toISOString()).toBe(at(4))
  const readings = group?.tiles.map(({ reading }) => reading)
  expect(readings?.map((reading) => isBehind(reading, group?.readAt))).toEqual([true, false, false])
})
