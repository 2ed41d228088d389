import { isWithoutSource } from '#domain/catalogue/displayRules.ts'
import { type EventTypeTopic, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { isFault, namesFault, OUTPUT_OFF } from '#domain/catalogue/faults.ts'
import { sensorOfDisplays } from '#domain/components/sensorOfDisplays.ts'
import { type CauseEvidence, spansWhere, type TimedReading } from '#domain/darkness/causes/darkCauses.ts'
import type { ChainComponent, FeedChain, FeedPart } from '#domain/darkness/feedChain.ts'
import { supplyOf } from '#domain/darkness/feedChain.ts'
import { isOne, isOnGrid, isPositive } from '#domain/darkness/lookedAt.ts'
import { READING_HOLDS_MS, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { isOutlet } from '#domain/darkness/powerCuts.ts'
import { backlightForLight } from '#domain/displays/ambientCurve.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { readSpan } from '#server/telemetry/read/fieldReadings.ts'

type Value = number | string | undefined
type Readings = readonly TimedReading<Value>[]
type Read = (topic: EventTypeTopic, number: number, name: string) => Promise<Readings>

/** What the readings of a device say about why its displays were dark. */
export interface ReadingsOfCauses {
  readonly ruleAskedForIt: readonly Span[]
  readonly withoutPower: readonly Span[]
  readonly displayFaults: readonly Span[]
  readonly withoutContent: readonly Span[]
  readonly answeredDark: readonly Span[]
}

export interface Wired {
  readonly deviceId: DeviceId
  readonly displayNumbers: readonly number[]
  readonly components: readonly ChainComponent[]
  readonly chain: FeedChain
}

const isSo = (readings: Readings, test: (value: Value) => boolean) => spansWhere(readings, test, READING_HOLDS_MS)

/** Reads what says why these displays were dark. Readings from before the time still hold when it begins. */
export async function readCauses(
  queryable: Queryable,
  wired: Wired,
  { fromMs, toMs }: Span,
): Promise<ReadingsOfCauses> {
  const { deviceId, displayNumbers: numbers } = wired
  const read: Read = async (topic, number, name) => {
    const eventTypeId = eventTypeByTopic(topic)?.id ?? 0
    const span = { deviceId, eventTypeId, number, fromMs: fromMs - READING_HOLDS_MS, toMs }
    const { timesMs, values } = await readSpan(queryable, { span, name })
    return timesMs.map((atMs, index) => ({ atMs, value: values[index] as Value }))
  }
  return {
    ruleAskedForIt: await whereRuleIsDark(read, wired),
    withoutPower: await whereWithoutPower(read, wired),
    displayFaults: await ofEach(numbers, async (number) => [
      ...isSo(await read('display', number, 'lamp_fault'), isOne),
      ...isSo(await read('display', number, 'diagnosis'), (value) => isFault(value)),
    ]),
    withoutContent: [
      ...(await ofEach(numbers, async (number) =>
        isSo(await read('display', number, 'out_of_order_status'), isWithoutSource),
      )),
      ...isSo(await read('device', 1, 'status_id'), (value) => !isOne(value)),
    ],
    answeredDark: await ofEach(numbers, async (number) =>
      isSo(await read('display', number, 'backlight_level'), (value) => !isPositive(value)),
    ),
  }
}

async function ofEach(numbers: readonly number[], read: (number: number) => Promise<readonly Span[]>) {
  const spans: Span[] = []
  for (const number of numbers) spans.push(...(await read(number)))
  return spans
}

async function whereWithoutPower(read: Read, { displayNumbers, chain }: Wired): Promise<readonly Span[]> {
  const outlets = new Map<string, FeedPart>()
  for (const number of displayNumbers)
    for (const part of supplyOf(chain, `display/${number}`)) if (isOutlet(part)) outlets.set(part.key, part)
  const spans: Span[] = []
  if (chain.parts.some(({ kind }) => kind === 'ups')) {
    spans.push(...isSo(await read('ups', 1, 'status'), (value) => !isOnGrid(value)))
    spans.push(...isSo(await read('ups', 1, 'input_voltage'), (value) => !isPositive(value)))
    spans.push(...isSo(await read('ups', 1, 'output_voltage'), (value) => !isPositive(value)))
    spans.push(...isSo(await read('ups', 1, 'alarm'), (value) => namesFault(value, OUTPUT_OFF)))
  }
  for (const { kind, number, port } of outlets.values()) {
    const readings =
      kind === 'powerSwitch'
        ? await read('power-switch', 1, `port${number}_status`)
        : await read('relay', number, `port${port}_status`)
    spans.push(...isSo(readings, (value) => !isOne(value)))
  }
  return spans
}

const CURVE_FIELDS = ['min_backlight', 'max_backlight', 'min_ambient_light', 'max_ambient_light'] as const

/** Finds when the ambient rule was on and asked for no backlight, by what its sensor reported with each light. */
async function whereRuleIsDark(read: Read, { displayNumbers, components }: Wired): Promise<readonly Span[]> {
  const sensors = sensorOfDisplays(components)
  const numbers = new Set(displayNumbers.flatMap((number) => sensors.get(number) ?? []))
  return ofEach([...numbers], async (number) => {
    const automatic = await read('display', number, 'backlight_automatic_status')
    if (!automatic.some(({ value }) => isOne(value))) return []
    const light = await read('display', number, 'ambient_light')
    const limits: Readings[] = []
    for (const name of CURVE_FIELDS) limits.push(await read('display', number, name))
    const asked = light.map(({ atMs, value }) => {
      const [minBacklight, maxBacklight, minAmbientLight, maxAmbientLight] = limits.map((one) => lastOf(one, atMs))
      const curve = { minBacklight, maxBacklight, minAmbientLight, maxAmbientLight }
      const isKnown = Object.values(curve).every((limit) => typeof limit === 'number') && typeof value === 'number'
      const isOn = isOne(lastOf(automatic, atMs))
      const percent = isKnown && isOn ? backlightForLight(curve as Record<keyof typeof curve, number>, value) : 1
      return { atMs, value: Math.round(percent) }
    })
    return isSo(asked, (value) => value === 0)
  })
}

const lastOf = (readings: Readings, atMs: number): Value => readings.findLast((one) => one.atMs <= atMs)?.value

/** Puts the evidence into the order in which it decides (rules/statements 7). */
export function inOrder(
  { ruleAskedForIt, withoutPower, displayFaults, withoutContent, answeredDark }: ReadingsOfCauses,
  commanded: readonly Span[],
  offline: readonly Span[],
): readonly CauseEvidence[] {
  return [
    { cause: 'ours', spans: [...ruleAskedForIt, ...commanded] },
    { cause: 'power', spans: withoutPower },
    { cause: 'display', spans: displayFaults },
    { cause: 'network', spans: offline },
    { cause: 'computer', spans: withoutContent },
    { cause: 'display', spans: answeredDark },
  ]
}
