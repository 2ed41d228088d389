import type { AnswerOf } from '#contract/call/call.ts'
import { type DeviceColumns, getAnalyticsColumns } from '#contract/http/insight/analytics.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

/** A bucket is written readably: `m_4101` is a mean, `m_4101_min` and `m_4101_max` are its range. */
export interface Bucket {
  readonly time: string
  readonly deviceId: number
  readonly [measurement: `m_${string}`]: number | null
}

export function analyticsColumns(buckets: readonly Bucket[], stepMinutes = 60): AnswerOf<typeof getAnalyticsColumns> {
  const devices = [...Map.groupBy(buckets, ({ deviceId }) => deviceId)].map(([deviceId, own]) => {
    const from = own[0]?.time ?? ''
    const indexOf = ({ time }: Bucket) => (Date.parse(time) - Date.parse(from)) / (stepMinutes * MINUTE_MS)
    const length = Math.max(...own.map(indexOf)) + 1
    const numbers = (name: `m_${string}`) => {
      const column = new Array<number | null>(length).fill(null)
      for (const bucket of own) column[indexOf(bucket)] = bucket[name] ?? null
      return column
    }
    const names = [...new Set(own.flatMap((bucket) => Object.keys(bucket)))]
    const columns = names.flatMap((name) => {
      const id = /^m_(\d+)$/.exec(name)?.[1]
      if (id === undefined) return []
      const range = names.includes(`m_${id}_min`) && {
        minima: numbers(`m_${id}_min`),
        maxima: numbers(`m_${id}_max`),
      }
      return [{ id: Number(id), means: numbers(`m_${id}`), ...range }]
    })
    return { deviceId, from, columns } as unknown as DeviceColumns
  })
  return getAnalyticsColumns.answer.parse({ stepMinutes, devices })
}
