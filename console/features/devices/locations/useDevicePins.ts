import { useEffect, useMemo, useRef, useState } from 'react'
import type { DeviceFields } from '#console/deviceParts/deviceFields.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { useLiveDevices, useOnLiveAgain } from '#console/lib/live/live.ts'
import { contains, type MapArea, type MapPin } from '#console/ui/map/mapPin.ts'
import { listDevicePins } from '#contract/http/devices/pins.ts'
import { type DeviceEvent, MOST_WATCHED_DEVICES } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { askedView, cellsOf, pinsOf, withEvents } from './pins.ts'

/** Events are gathered, because grouping the pins of a fleet takes longer than an event. */
const GATHER_MS = 300
/** No answer takes longer than this, so an event of this age or younger may be newer than the answer. */
const NEWER_THAN_ANSWER_MS = 10_000
const NO_EVENTS: ReadonlyMap<DeviceId, ReceivedEvent> = new Map()

interface ReceivedEvent {
  readonly event: DeviceEvent
  readonly receivedAtMs: number
}

export interface ShownView {
  readonly area: MapArea
  readonly zoom: number
}

type Answer = CallResult<typeof listDevicePins>

interface Request {
  readonly filterKey: string
  readonly view: ReturnType<typeof askedView>
}

/**
 * It asks again when the map shows an area that was not answered: never where all pins are few, and at each move where
 * devices are counted together.
 */
function useAnswer(filter: DeviceFields, shown: ShownView): Answer {
  const filterKey = JSON.stringify(filter)
  const [asked, setRequested] = useState<Request>()
  const answer = useCall(
    listDevicePins,
    { ...filter, ...asked?.view },
    { enabled: asked !== undefined, refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true },
  )
  const view = askedView(shown.area, shown.zoom)
  const isAnother = !isDeepEqual(asked?.view, view)
  const isRequested = asked?.filterKey === filterKey && (!isAnother || isAnswered(answer, view))
  if (!isRequested) setRequested({ filterKey, view })
  return answer
}

function isAnswered({ data, isPlaceholderData, isError }: Answer, view: MapArea): boolean {
  if (!data || isPlaceholderData) return !isError
  if (!data.view || data.view.covers === null) return true
  return data.view.cells.counts.length === 0 && contains(data.view.covers, view)
}

const isDeepEqual = (one: Request['view'] | undefined, other: Request['view']) =>
  JSON.stringify(one) === JSON.stringify(other)

/** It reads the pins of a filter, and keeps those in view current, as far as they may be watched. */
export function useDevicePins(filter: DeviceFields, shown: ShownView) {
  const answer = useAnswer(filter, shown)
  const { data } = answer
  const read = useMemo(() => (data ? pinsOf(data) : undefined), [data])
  const cells = useMemo(() => (data?.view ? cellsOf(data.view) : []), [data])
  const [received, setReceived] = useState(NO_EVENTS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer holds everything that was received before it
  useEffect(() => setReceived(newerThanAnswer), [data])
  useOnLiveAgain(() => void answer.refetch())
  const pins = useMemo(
    () => read && withEvents(read, new Map([...received].map(([id, { event }]) => [id, event]))),
    [read, received],
  )
  const takeEvents = (events: readonly DeviceEvent[]) => {
    const receivedAtMs = performance.now()
    setReceived(
      (before) => new Map([...before, ...events.map((event) => [event.id, { event, receivedAtMs }] as const)]),
    )
  }
  return { answer, pins, cells, takeEvents }
}

function newerThanAnswer(received: ReadonlyMap<DeviceId, ReceivedEvent>): ReadonlyMap<DeviceId, ReceivedEvent> {
  const since = performance.now() - NEWER_THAN_ANSWER_MS
  const kept = [...received].filter(([, { receivedAtMs }]) => receivedAtMs > since)
  return kept.length === received.size ? received : new Map(kept)
}

export function useLivePins(inView: readonly MapPin[], takeEvents: (events: readonly DeviceEvent[]) => void): void {
  const ids = inView.length > MOST_WATCHED_DEVICES ? [] : inView.map(({ id }) => id).sort((one, other) => one - other)
  const gathered = useRef(new Map<DeviceId, DeviceEvent>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const take = useRef(takeEvents)
  useEffect(() => {
    take.current = takeEvents
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  useLiveDevices(ids, (event) => {
    gathered.current.set(event.id, event)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const events = [...gathered.current.values()]
      gathered.current = new Map()
      take.current(events)
    }, GATHER_MS)
  })
}
