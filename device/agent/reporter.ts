import type { Hardware } from '#device/hardware/hardware.ts'
import type { Reading } from '#device/hardware/readings.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { ReportedComponent } from '#domain/components/standardComponents.ts'
import { REPORT_PERIOD_MS } from '#domain/devices/presence.ts'
import { changedValues, knownValues } from './changes.ts'
import type { Outbox } from './outbox.ts'

/** Full reports come a little early rather than late: two late ones would count as silence. */
const EARLY_MS = 500

export interface Reporter {
  /** Reads every component and records what is worth reporting; resolves when it is on disk. */
  look(components: readonly ReportedComponent[], nowMs: number): Promise<void>
  /** The next look reports everything. */
  forget(): void
}

/** What changed at once, everything once a minute (issue: device agent). */
export function createReporter(hardware: Hardware, outbox: Outbox): Reporter {
  const reported = new Map<string, Record<string, number | string>>()
  const fullAtMs = new Map<string, number>()

  const lookAt = async (component: ReportedComponent, nowMs: number) => {
    const type = eventTypeByTopic(component.topic)
    const reading = type && (await readComponent(hardware, component))
    if (!reading) return
    const topic = entryTopic(component)
    const values = knownValues(type, reading)
    const isFull = nowMs - (fullAtMs.get(topic) ?? Number.NEGATIVE_INFINITY) >= REPORT_PERIOD_MS - EARLY_MS
    const sent = isFull ? values : changedValues(type, values, reported.get(topic) ?? {})
    if (Object.keys(sent).length === 0) return
    if (isFull) fullAtMs.set(topic, nowMs)
    reported.set(topic, { ...reported.get(topic), ...sent })
    await outbox.record(topic, nowMs, (at) => ({ at: at.toISOString(), values: sent }))
  }

  return {
    look: async (components, nowMs) => {
      await Promise.all(components.map((component) => lookAt(component, nowMs)))
    },
    forget: () => fullAtMs.clear(),
  }
}

/** Below the device's root; the number is left out for component 1. */
export function entryTopic({ topic, number }: ReportedComponent): string {
  return number === 1 ? `events/${topic}` : `events/${topic}/${number}`
}

async function readComponent(hardware: Hardware, { topic, number }: ReportedComponent): Promise<Reading | undefined> {
  const reading = await componentOf(hardware, topic, number)?.read()
  return reading && { ...reading }
}

function componentOf(hardware: Hardware, topic: ReportedComponent['topic'], number: number) {
  switch (topic) {
    case 'device':
      return hardware.computer
    case 'display':
      return hardware.display(number)
    case 'ecu':
      return hardware.controller(number)
    case 'ups':
      return hardware.ups()
    case 'router':
      return hardware.networkSwitches()
    case 'power-switch':
      return hardware.powerSwitch()
    case 'relay':
      return hardware.relay(number)
    case 'router-relay':
      return hardware.routerRelay(number)
    case 'camera':
      return hardware.camera(number)
    case 'yocto':
      return hardware.buttons()
  }
}
