import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultSchedule } from '#contract/fleet.ts'
import { type Agent, DeviceAgent } from '#device/agent/DeviceAgent.ts'
import type { DeviceStore } from '#device/agent/store/deviceStore.ts'
import { type AgentStore, openStore } from '#device/agent/store/store.ts'
import type { ClientPlace } from '#device/agent/updates/clientPlace.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { createPretendHardware, type PretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'

export const GUID = '0b1ff1e0-1111-4222-8333-444455556666' as DeviceGuid

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'wayside-agent-'))

export function openTestStore(
  folder: string,
  maximumBytes = 50_000_000,
  onDropped = (_: string, _count: number) => {},
  say = (sentence: string): void => {
    throw new Error(sentence)
  },
) {
  return openStore({
    file: join(folder, 'agent.sqlite'),
    maximumBytes,
    groupMs: 5,
    onDropped,
    say,
  })
}

export interface TestAgent {
  readonly agent: Agent
  readonly hardware: PretendHardware
  readonly store: AgentStore
  readonly log: string[]
  stop(): Promise<void>
}

interface TestAgentOptions {
  readonly url: string
  readonly folder?: string
  readonly key?: string
  readonly modelId?: number
  readonly faults?: readonly FaultSchedule[]
  readonly lookEveryMs?: number
  readonly now?: () => number
  readonly nowAhead?: () => number
  readonly askTimeEveryMs?: number
  readonly maximumBytes?: number
  readonly switchingMs?: number
  /** A test can observe, or kill, in the middle of an operation through these. */
  readonly aroundStore?: (store: DeviceStore) => DeviceStore
  readonly aroundHardware?: (hardware: Hardware) => Hardware
  readonly httpUrl?: string
  readonly releaseKeys?: readonly string[]
  readonly clientPlace?: ClientPlace
  readonly clientVersion?: string
  readonly countsStarts?: boolean
}

/** A real agent on simulated hardware, with short times: samples every 50 ms, switches in 5 ms. */
export function startTestAgent(options: TestAgentOptions): TestAgent {
  const { clientVersion = '1.2.3' } = options
  const now = options.now ?? (() => Date.now() + (options.nowAhead?.() ?? 0))
  const modelId = (options.modelId ?? 1) as DeviceModelId
  const firstSettings = { modelId, timeZone: 'UTC', components: [...standardComponents(modelId)] }
  const hardware = createPretendHardware({
    place: { seed: 5, latitude: 48, longitude: 11 },
    fitting: firstSettings,
    faults: options.faults ?? [],
    clientVersion,
    now,
    switchingMs: options.switchingMs ?? 5,
  })
  const store: AgentStore = openTestStore(
    options.folder ?? temporaryFolder(),
    options.maximumBytes,
    (_, count) => agent.say(`The store is full: the ${count} oldest entries were given up.`),
    (sentence) => agent.say(sentence),
  )
  const log: string[] = []
  const agent: Agent = new DeviceAgent({
    guid: GUID,
    key: options.key ?? 'key',
    mqttUrl: options.url,
    httpUrl: options.httpUrl ?? 'http://127.0.0.1:9',
    releaseKeys: () => options.releaseKeys ?? [],
    clientPlace: options.clientPlace,
    firstSettings,
    clientVersion,
    store: options.aroundStore?.(store.device(GUID)) ?? store.device(GUID),
    hardware: options.aroundHardware?.(hardware) ?? hardware,
    now,
    // A test that sets the time moves the steady clock by it, too.
    ...(options.now && { monotonicMs: options.now }),
    askTimeEveryMs: options.askTimeEveryMs,
    random: () => 0,
    lookEveryMs: options.lookEveryMs ?? 50,
    countsStarts: options.countsStarts ?? false,
    log: (line) => log.push(line),
  })
  agent.start()
  return {
    agent,
    hardware,
    store,
    log,
    stop: async () => {
      await agent.stop()
      store.close()
    },
  }
}
