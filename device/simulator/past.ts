import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import type { Fleet, FleetDevice, PastReadings } from '#contract/fleet.ts'
import { ConfigurationError } from '#device/agent/store/configuration.ts'
import { isFaulty } from '#device/hardware/pretend/faults.ts'
import { readingAt } from '#device/hardware/pretend/readingAt.ts'
import { NOTHING_SET } from '#device/hardware/pretend/registers.ts'
import type { World } from '#device/hardware/pretend/world.ts'
import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { readFleet } from './fleetFile.ts'

const USAGE = `Usage: node device/simulator/past.ts --fleet FILE --from TIME --to TIME --every-minutes N --fields ID[,ID…]
  Prints what pretend devices would have reported, a line of JSON for each device and field (see contract/fleet.ts).`

interface Stretch {
  readonly fromMs: number
  readonly toMs: number
  readonly everyMs: number
  readonly fields: readonly NumberedField[]
}

function readOptions(): { readonly fleet: Fleet; readonly stretch: Stretch } {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { fleet: text, from: text, to: text, 'every-minutes': text, fields: text } })
  const fields = (values.fields ?? '').split(',').map((id) => numberedFieldById(Number(id)))
  const [fromMs, toMs] = [Date.parse(values.from ?? ''), Date.parse(values.to ?? '')]
  const everyMs = Number(values['every-minutes']) * 60_000
  const isComplete = values.fleet !== undefined && fromMs < toMs && everyMs > 0
  if (!isComplete || fields.includes(undefined)) throw new ConfigurationError(USAGE)
  return {
    fleet: readFleet(values.fleet ?? ''),
    stretch: { fromMs, toMs, everyMs, fields: fields.filter((field) => field !== undefined) },
  }
}

/** All fields of a component are processed together, because a reading is computed as a whole. */
function* tellDevice(device: FleetDevice, { fromMs, toMs, everyMs, fields }: Stretch): Generator<PastReadings> {
  const { modelId, components, feeds } = device
  const fitting = { modelId, components, feeds }
  const world: World = { ...device, fitting, registers: NOTHING_SET, clientVersion: '' }
  for (const component of reportedComponents(modelId, components)) {
    const asked = fields.filter(({ type, number }) => type.topic === component.topic && number === component.number)
    if (asked.length === 0) continue
    const told = asked.map((): (number | string | null)[] => [])
    for (let atMs = fromMs; atMs < toMs; atMs += everyMs) {
      const isOffline = isFaulty(device.faults, 'offline', atMs)
      const reading = (isOffline ? undefined : readingAt(world, component, atMs)) as Record<string, number | string>
      asked.forEach(({ field }, index) => void told[index]?.push(reading?.[field.name] ?? null))
    }
    for (const [index, { id }] of asked.entries()) {
      yield { guid: device.guid, fieldId: id, fromMs, everyMs, values: told[index] ?? [] }
    }
  }
}

async function main(): Promise<void> {
  const { fleet, stretch } = readOptions()
  // Interactive work on this computer has priority.
  setPriority(constants.priority.PRIORITY_LOW)
  // The server is gone, so nothing reads this.
  process.stdout.on('error', () => process.exit(0))
  for (const device of fleet.devices.filter(({ driver }) => driver === 'pretend')) {
    for (const line of tellDevice(device, stretch)) {
      if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
    }
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
