import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardComponents } from '../components/standardComponents.ts'
import { DEVICE_MODELS } from '../devices/models.ts'
import { distinctTags, isTag } from '../devices/tags.ts'
import { readCsv, writeCsvText } from '../texts/csvText.ts'
import { isOneLine, tidied } from '../texts/nameRule.ts'
import { readDeviceFile, writeDeviceFile } from './deviceFile.ts'

const cellsOf = (text: string) => readCsv(text).rows.map(({ cells }) => cells)

test('any table of texts is read back as it was written, and no cell begins like a formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=1+1', "'=1", "''-5", '-5', '"', ';', 'a\r\nb', '\t', '+x'),
  )
  const table = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(table, (rows) => {
      const kept = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
      const written = writeCsvText(rows)
      expect(cellsOf(written)).toEqual(kept)
      for (const cell of written.slice(1).matchAll(/(?:^|;|\r\n)"([^"])/g))
        expect(cell[1]).not.toMatch(/^[=+\-@\t\r\n]/)
    }),
    { numRuns: 300 },
  )
})

test('files of other programs are read: marks, commas, tabs, bare cells and bare line feeds', () => {
  expect(cellsOf('\ufeffname,model\nPier,"a ""b"", c"\n\n')).toEqual([
    ['name', 'model'],
    ['Pier', 'a "b", c'],
  ])
  expect(cellsOf('name\tmodel\rPier\t1')).toEqual([
    ['name', 'model'],
    ['Pier', '1'],
  ])
  expect(readCsv('name;model\r\n"a\r\nb";1\r\nc;2').rows.map(({ line }) => line)).toEqual([1, 2, 4])
  expect(readCsv('name\n"a').unclosedLine).toBe(2)
})

test('a device that is exported is read back with everything', () => {
  const line = fc
    .string({ maxLength: 30 })
    .map(tidied)
    .filter((text) => text.isWellFormed() && isOneLine(text) && !text.includes('\0'))
  const degrees = (most: number) =>
    fc.double({ min: -most, max: most, noNaN: true }).map((value) => Number(value.toFixed(7)) + 0)
  const device = fc.record({
    ...{
      guid: fc.uuid(),
      name: line.filter(Boolean),
      customerName: line.filter(Boolean),
      address: line,
      attrSerial: line,
    },
    modelId: fc.constantFrom(...DEVICE_MODELS.map(({ id }) => id)),
    latitude: degrees(90),
    longitude: degrees(180),
    tags: fc.array(line.filter(isTag), { maxLength: 4 }).map((tags) => distinctTags(tags)),
  })
  fc.assert(
    fc.property(fc.array(device, { minLength: 1, maxLength: 5 }), (devices) => {
      const components = (modelId: (typeof devices)[number]['modelId']) =>
        standardComponents(modelId).map(({ componentModelId, number }) => ({ componentModelId, number }))
      const written = writeDeviceFile(devices.map((one) => ({ ...one, components: components(one.modelId) })))
      const { rows, problems } = readDeviceFile(written)
      expect(problems).toEqual([])
      expect(rows.map(({ line: _, ...row }) => row)).toEqual(
        devices.map(({ customerName, latitude, longitude, ...one }) => ({
          ...one,
          customer: customerName,
          position: { latitude, longitude },
          components: components(one.modelId),
        })),
      )
    }),
    { numRuns: 100 },
  )
})

test('each wrong cell is named by its line and its column, and other lines are judged too', () => {
  const file = [
    'name;model;position;tags;components;guid',
    ';Totem SP-4096;;;;',
    'Pier;Toaster;91, 4;;;',
    `Quay;22;;${'x'.repeat(41)};UPS 1, Kettle 2;nonsense`,
    'Fine;totem sp-4096;1, 2;A, a, B;ups;',
    'Long;22;;;UPS 1, UPS 1;;',
  ].join('\n')
  const { problems, rows } = readDeviceFile(file)
  expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual([
    ...['2 name', '3 model', '3 position', '4 tags', '4 components', '4 guid', '6 ', '6 components'],
  ])
  expect(rows[3]).toMatchObject({
    name: 'Fine',
    modelId: 22,
    tags: ['A', 'B'],
    position: { latitude: 1, longitude: 2 },
  })
  expect(readDeviceFile('name;colour\nPier;red').problems).toMatchObject([{ line: 1, column: 'colour' }])
  expect(readDeviceFile('').problems).toEqual([{ line: 1, column: '', reason: 'The file has no devices.' }])
  expect(readDeviceFile('name;name\na;b').problems).toMatchObject([{ line: 1, column: 'name' }])
})
