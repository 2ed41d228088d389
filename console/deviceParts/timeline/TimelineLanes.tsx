import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { LaneGroup, TimelineItem, TimelineLane } from './lanes.ts'
import '../lightKey.css'
import './timeline.css'

interface Props {
  readonly lanes: readonly TimelineLane[]
  readonly shown: Period
  /** Free space beside the tracks in pixels aligns them with a chart; the names then stand above them. */
  readonly insets?: { readonly left: number; readonly right: number } | undefined
  readonly marked?: Period | undefined
  readonly onMark?: (period: Period) => void
  readonly groups?: readonly LaneGroup[] | undefined
  readonly headOf?: ((group: LaneGroup) => GroupHead) | undefined
}

export interface GroupHead {
  readonly isOpen: boolean
  readonly onFold: () => void
  readonly to: Address
}

const NARROWEST_PX = 5

/** The lanes share one time axis. Each is one Tab stop, and the arrow keys move through its items. */
export function TimelineLanes({ lanes, shown, insets, marked, onMark, groups = [], headOf }: Props) {
  const tracks = useRef<HTMLDivElement>(null)
  const [pull, setPull] = useState<{ readonly from: number; readonly to: number }>()
  const [fromMs, toMs] = [shown.from.getTime(), shown.to.getTime()]
  // An item that goes on is only known to do so until now.
  const nowMs = serverNowMs()
  const share = (ms: number) => Math.max(0, Math.min(1, (ms - fromMs) / (toMs - fromMs)))
  const shareUnder = ({ clientX }: PointerEvent) => {
    const box = tracks.current?.getBoundingClientRect()
    return box && box.width > 0 ? Math.max(0, Math.min(1, (clientX - box.left) / box.width)) : 0
  }
  const marking = onMark && {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('a, [role=button]')) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setPull({ from: shareUnder(event), to: shareUnder(event) })
    },
    onPointerMove: (event: PointerEvent) => pull && setPull({ ...pull, to: shareUnder(event) }),
    onPointerUp: () => {
      if (!pull) return
      const [from, to] = [pull.from, pull.to].sort((a, b) => a - b) as [number, number]
      setPull(undefined)
      const isClick = (to - from) * (tracks.current?.clientWidth ?? 0) < NARROWEST_PX
      const at = (part: number) => new Date(Math.round((fromMs + part * (toMs - fromMs)) / SECOND_MS) * SECOND_MS)
      onMark({ from: at(from), to: at(isClick ? from : to) })
    },
    onPointerCancel: () => setPull(undefined),
  }
  const mark = pull ?? (marked && { from: share(marked.from.getTime()), to: share(marked.to.getTime()) })
  const axis = { share, fromMs, toMs, nowMs }
  const room = insets && ({ '--lanes-left': `${insets.left}px`, '--lanes-right': `${insets.right}px` } as CSSProperties)
  return (
    <div className="lanes" data-below={insets !== undefined || undefined} style={room}>
      {lanes.map((lane) => (
        <Lane key={lane.name} lane={lane} {...axis} />
      ))}
      {headOf && groups.map((group) => <Group key={group.guid} group={group} head={headOf(group)} {...axis} />)}
      <div className="lanes-over" ref={tracks} data-marks={onMark !== undefined || undefined} {...marking}>
        {nowMs < toMs && nowMs > fromMs && (
          <span className="lanes-now" style={{ left: `${100 * share(nowMs)}%` }} title="Now" />
        )}
        {mark && (
          <span
            className="lanes-mark"
            style={{
              left: `${100 * Math.min(mark.from, mark.to)}%`,
              width: `${100 * Math.abs(mark.to - mark.from)}%`,
            }}
          />
        )}
      </div>
    </div>
  )
}

interface Axis {
  readonly share: (ms: number) => number
  readonly fromMs: number
  readonly toMs: number
  readonly nowMs: number
}

interface GroupProps extends Axis {
  readonly group: LaneGroup
  readonly head: GroupHead
}

/** A device among others shows one lane of what was wrong, or its own lanes one below the other. */
function Group({ group: { name, lanes, summary }, head: { isOpen, onFold, to }, ...axis }: GroupProps) {
  const filled = lanes.filter(({ items }) => items.length > 0)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const title = (
    <span className="lane-name lane-device">
      <button type="button" aria-expanded={isOpen} aria-label={`Lanes of ${name}`} onClick={onFold}>
        <Chevron size={14} aria-hidden />
      </button>
      <Link to={to} title={name}>
        {name}
      </Link>
    </span>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of form fields it is not
    <div className="lane-group" role="group" aria-label={name} data-open={isOpen || undefined}>
      {isOpen ? (
        <div className="lane">
          {title}
          {filled.length === 0 && <span className="lane-nothing">Nothing happened in this period</span>}
        </div>
      ) : (
        <Lane lane={summary} head={title} {...axis} />
      )}
      {isOpen && filled.map((lane) => <Lane key={lane.name} lane={lane} {...axis} />)}
    </div>
  )
}

interface LaneProps extends Axis {
  readonly lane: TimelineLane
  readonly head?: ReactNode
}

function Lane({ lane, head, share, fromMs, toMs, nowMs }: LaneProps) {
  const list = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const openMs = Math.min(toMs, nowMs)
  const items = lane.items.filter((item) => item.fromMs <= toMs && (item.toMs ?? openMs) >= fromMs)
  const stop = Math.min(current, items.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const last = items.length - 1
    const target = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: last }[event.key]
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.max(0, Math.min(last, target))
    setCurrent(next)
    list.current?.querySelectorAll<HTMLElement>('.lane-item')[next]?.focus()
  }
  const unrecorded = share(lane.sinceMs)
  return (
    <div className="lane">
      {head ?? <span className="lane-name">{lane.title}</span>}
      <ul
        ref={list}
        className="lane-track"
        aria-label={`${lane.title}: ${items.length === 0 ? 'nothing' : items.length}`}
        onKeyDown={onKeyDown}
      >
        {unrecorded > 0 && (
          <li
            className="lane-unrecorded"
            style={{ width: `${100 * unrecorded}%` }}
            title={`Nothing before ${formatDateTime(new Date(lane.sinceMs))}: none was recorded, or there is more than a lane shows. Choose a shorter period`}
          />
        )}
        {lane.fill?.spans.map((span) => (
          <li
            key={span.fromMs}
            className="lane-fill"
            title={lane.fill?.text}
            style={{
              left: `${100 * share(span.fromMs)}%`,
              width: `${100 * (share(Math.min(openMs, span.toMs ?? openMs)) - share(span.fromMs))}%`,
            }}
          />
        ))}
        {items.map((item, index) => (
          <Item key={item.key} item={item} share={share} openMs={openMs} isStop={index === stop} />
        ))}
      </ul>
    </div>
  )
}

interface ItemProps {
  readonly item: TimelineItem
  readonly share: (ms: number) => number
  readonly openMs: number
  readonly isStop: boolean
}

function Item({ item, share, openMs, isStop }: ItemProps) {
  const from = share(item.fromMs)
  const words = itemLabel(item)
  const looks = {
    className: 'lane-item',
    'data-tone': item.tone,
    'data-light': item.light,
    'data-hours': item.hours,
    'data-moment': item.toMs === item.fromMs || undefined,
    style: { left: `${100 * from}%`, width: `${100 * (share(Math.max(item.fromMs, item.toMs ?? openMs)) - from)}%` },
    title: words,
    'aria-label': words,
    tabIndex: isStop ? 0 : -1,
  }
  return <li>{item.to ? <Link to={item.to} {...looks} /> : <span role="img" {...looks} />}</li>
}

function itemLabel(item: TimelineItem): string {
  return [item.text, item.detail, formatDateTime(new Date(item.fromMs)), lengthLabel(item)]
    .filter((part) => part !== '')
    .join(', ')
}

export function lengthLabel({ fromMs, toMs }: TimelineItem): string {
  if (toMs === undefined) return 'still'
  return toMs === fromMs ? '' : `for ${formatDuration((toMs - fromMs) / SECOND_MS)}`
}
