import type { z } from 'zod'
import type { deviceTimeline } from '#contract/http/devices/records.ts'
import type { Period } from '#server/http/reading/period.ts'

type Lanes = z.input<typeof deviceTimeline>

/**
 * Orders devices by what was worst in a period: unplanned darkness, then alerts, then time offline, then time on
 * battery. Parts of hours count half, and equals keep their order.
 */
export function worstFirst<Device extends { readonly lanes: Lanes }>(
  devices: readonly Device[],
  period: Period,
  now: Date,
): Device[] {
  const weighed = devices.map((device) => ({ device, weights: weightsOf(device.lanes, period, now) }))
  return weighed
    .sort((a, b) => {
      const at = a.weights.findIndex((weight, index) => weight !== b.weights[index])
      return at < 0 ? 0 : (b.weights[at] ?? 0) - (a.weights[at] ?? 0)
    })
    .map(({ device }) => device)
}

interface Item {
  readonly from: string
  readonly to: string | null
  readonly hours?: 'whole' | 'part' | undefined
}

function weightsOf({ light, alerts, presence, power }: Lanes, { from, to }: Period, now: Date): readonly number[] {
  const lastMs = Math.min(to.getTime(), now.getTime())
  const sum = (items: readonly Item[] = []) =>
    items.reduce((total, item) => {
      const begin = Math.max(from.getTime(), Date.parse(item.from))
      const end = Math.min(lastMs, item.to === null ? lastMs : Date.parse(item.to))
      return total + Math.max(0, end - begin) / (item.hours === 'part' ? 2 : 1)
    }, 0)
  const unplanned = light?.items.filter(({ kind }) => kind === 'unplanned')
  return [sum(unplanned), sum(alerts?.items), sum(presence?.items), sum(power?.items)]
}
