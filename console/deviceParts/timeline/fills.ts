import type { Device } from '#contract/http/devices/devices.ts'
import type { Fill, LaneName, TimelineLane } from './lanes.ts'

type FilledDevice = Pick<Device, 'light' | 'isOnBattery' | 'lastEvent'>

/**
 * It fills the time between the items of a lane with the state that holds there. What was not known stays empty: light
 * of a device without a judged display, power without a UPS, and power while nobody heard of the device.
 */
export function withFills(lanes: readonly TimelineLane[], device: FilledDevice): readonly TimelineLane[] {
  const offline = lanes.find(({ name }) => name === 'presence')?.items ?? []
  return lanes.map((lane): TimelineLane => {
    const text = fillText(lane.name, device)
    if (text === undefined) return lane
    const taken = lane.name === 'power' ? [...lane.items, ...offline] : lane.items
    return { ...lane, fill: { text, spans: between(taken, lane.sinceMs) } }
  })
}

function fillText(name: LaneName, { light, isOnBattery, lastEvent }: FilledDevice): string | undefined {
  if (name === 'light') return light === null ? undefined : 'Lit'
  if (name === 'power') return isOnBattery === null ? undefined : 'Mains'
  if (name === 'presence') return lastEvent === null ? undefined : 'Connected'
  return undefined
}

function between(taken: readonly Fill[], sinceMs: number): readonly Fill[] {
  const free: Fill[] = []
  let fromMs: number | undefined = sinceMs
  for (const item of taken.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs === undefined) break
    if (item.fromMs > fromMs) free.push({ fromMs, toMs: item.fromMs })
    fromMs = item.toMs === undefined ? undefined : Math.max(fromMs, item.toMs)
  }
  return fromMs === undefined ? free : [...free, { fromMs, toMs: undefined }]
}
