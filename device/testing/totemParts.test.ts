import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfiguration } from '#device/agent/store/configuration.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { DRIVERS } from '#domain/drivers/drivers.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { DeviceModelId } from '#domain/ids.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/guide/connect/${name}.md`, import.meta.url), 'utf8')
const parts = read('totem-parts')
const files = [parts, read('hardware')].flatMap((page) =>
  [...page.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, json = '']) => JSON.parse(json) as Readonly<Record<string, unknown>>)
    .filter((file) => 'components' in file),
)

/** The file of a device: its own entries beside what the console provides. */
function configurationOf({ model: _, ...own }: Readonly<Record<string, unknown>>) {
  const given = { guid: '0b1ff1e0-1111-4222-8333-444455556666', key: 'key', name: 'Town hall', modelId: 1 }
  const urls = { mqttUrl: 'mqtt://127.0.0.1:1883', httpUrl: 'http://127.0.0.1:8080' }
  const file = join(mkdtempSync(join(tmpdir(), 'totem-parts-')), 'device.json')
  writeFileSync(file, JSON.stringify({ ...given, ...urls, ...own }))
  return readConfiguration(file)
}

test('every file of the guide is one that the client takes, for parts that its model reports', () => {
  expect(files).toHaveLength(5)
  for (const file of files) {
    const { components } = configurationOf(file)
    expect(components.size).toBeGreaterThan(0)
    if (file.model === undefined) continue
    const modelId = file.model as DeviceModelId
    const reported = reportedComponents(modelId, standardComponents(modelId)).map(partKey)
    expect([file.model, [...components.keys()].filter((part) => !reported.includes(part))]).toEqual([file.model, []])
  }
})

test('every model has its place in the shopping list, and every driver in the guide', () => {
  // The page omits the first word of a model's name: "ALT-1920 Slim".
  const missing = DEVICE_MODELS.filter(({ name }) => !parts.includes(name.replace(/^Totem |, three displays$/g, '')))
  expect(missing).toEqual([])
  const words = parts + read('hardware') + read('displays-and-sensors')
  expect(DRIVERS.filter(({ name }) => !words.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([])
  const unseen = DRIVERS.filter(
    ({ name }) => !parts.split('## What each driver cannot see')[1]?.includes(`\`${name}\``),
  )
  expect(unseen.map(({ name }) => name)).toEqual([])
})
