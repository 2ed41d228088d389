import { type Fleet, type FleetFile, fleet } from '#contract/fleet.ts'

/**
 * A fleet file for updates: plain displays in one place, some of which start no new client. It is for the simulator in
 * this process (`startSimulator`), or for a file for `device/simulator/main.ts --fleet FILE`.
 */
export function updateFleet(options: {
  readonly mqttUrl: string
  readonly httpUrl: string
  readonly trust: Pick<FleetFile, 'releaseKeys' | 'releaseKeyFile'>
  readonly devices: readonly Pick<FleetFile['devices'][number], 'guid' | 'key'>[]
  readonly startsNew: (index: number) => boolean
}): Fleet {
  const fault = { kind: 'clientUpdateFails' as const, everyMinutes: 60, forMinutes: 60 }
  return fleet.parse({
    mqttUrl: options.mqttUrl,
    httpUrl: options.httpUrl,
    ...options.trust,
    historyDays: 0,
    devices: options.devices.map(({ guid, key }, index) => ({
      guid,
      key,
      name: `Display ${index}`,
      modelId: 1 as FleetFile['devices'][number]['modelId'],
      latitude: 48,
      longitude: 11,
      timeZone: 'Europe/Berlin',
      components: [],
      seed: index,
      faults: options.startsNew(index) ? [] : [fault],
    })),
  } satisfies FleetFile)
}
