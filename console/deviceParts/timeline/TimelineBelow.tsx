import { type RefObject, useEffect, useState } from 'react'
import { commandLabels } from '#console/deviceParts/commandLabels.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { FailedNote } from '#console/ui/notes.tsx'
import { TimelineLanes } from './TimelineLanes.tsx'
import { type ShownDevice, useTimeline } from './useTimeline.ts'

interface Props {
  readonly device: ShownDevice
  readonly period: Period
  readonly shown: Period
  readonly chart: RefObject<HTMLElement | null>
}

/** The timeline stands below a chart, moment under moment, and shows only lanes on which something happened. */
export function TimelineBelow({ device, period, shown, chart }: Props) {
  const { result, lanes } = useTimeline(device, period, commandLabels)
  const insets = usePlotInsets(chart)
  if (result.isError && result.data === undefined) {
    return <FailedNote failure={result.error} onRetry={() => void result.refetch()} />
  }
  const filled = lanes.filter(({ items }) => items.length > 0)
  const silent = lanes.filter(({ items }) => items.length === 0).map(({ title }) => title.toLowerCase())
  return (
    <section className="timeline-below" aria-label="Timeline of the device" aria-busy={result.isPending}>
      <TimelineLanes lanes={filled} shown={shown} insets={insets} />
      {result.data && silent.length > 0 && <p className="timeline-silent">Nothing in: {silent.join(', ')}</p>}
    </section>
  )
}

const NO_INSETS = { left: 12, right: 12 }

/** It measures the inset of a chart's plot, which changes because the axis widens with its numbers. */
function usePlotInsets(chart: RefObject<HTMLElement | null>) {
  const [insets, setInsets] = useState(NO_INSETS)
  // The chart's element exists only after drawing.
  useEffect(() => {
    const host = chart.current
    if (!host) return
    const measure = () => {
      const plot = host.querySelector('.u-over')?.getBoundingClientRect()
      if (!plot) return
      const around = host.getBoundingClientRect()
      const [left, right] = [Math.round(plot.left - around.left), Math.round(around.right - plot.right)]
      setInsets((before) => (before.left === left && before.right === right ? before : { left, right }))
    }
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(host)
    // The chart moves its plot by an inline style at every layout.
    const changed = new MutationObserver(measure)
    changed.observe(host, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] })
    return () => {
      resized.disconnect()
      changed.disconnect()
    }
  }, [chart])
  return insets
}
