import {
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  IconHistory,
} from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { AsOfButton } from '#console/features/devices/status/view/AsOfButton.tsx'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { formatDateTime, formatMinute, useAge, useOnTime } from '#console/lib/time/time.ts'
import { viewersDaysLater } from '#console/lib/time/viewerZone.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import './past.css'

interface Props {
  readonly at: Date
  readonly meanOf: string | undefined
  /** Undefined means back to now. */
  readonly go: (at: Date | undefined) => void
}

const STEPS = [
  { name: '1 day earlier', key: 'Shift+←', icon: IconChevronsLeft, from: (at: Date) => viewersDaysLater(at, -1) },
  { name: '1 hour earlier', key: '←', icon: IconChevronLeft, from: (at: Date) => new Date(at.getTime() - HOUR_MS) },
  { name: '1 hour later', key: '→', icon: IconChevronRight, from: (at: Date) => new Date(at.getTime() + HOUR_MS) },
  { name: '1 day later', key: 'Shift+→', icon: IconChevronsRight, from: (at: Date) => viewersDaysLater(at, 1) },
] as const

const [DAY_BACK, HOUR_BACK, HOUR_ON, DAY_ON] = STEPS
const ofKey = ({ key, shiftKey }: KeyboardEvent) =>
  key === 'ArrowLeft'
    ? shiftKey
      ? DAY_BACK
      : HOUR_BACK
    : key === 'ArrowRight'
      ? shiftKey
        ? DAY_ON
        : HOUR_ON
      : undefined

export function AsOfBar({ at, meanOf, go }: Props) {
  const age = useAge(at)
  const minute = useOnTime((now) => Math.floor(now.getTime() / MINUTE_MS))
  const hasBeen = (moment: Date) => moment.getTime() < minute * MINUTE_MS
  const step = ({ from }: (typeof STEPS)[number]) => {
    const next = from(at)
    if (next.getTime() < serverNowMs()) go(next)
  }
  const button = (one: (typeof STEPS)[number]) => {
    const Icon = one.icon
    return (
      <IconButton
        icon={Icon}
        key={one.name}
        hasFrame
        aria-label={one.name}
        title={`${one.name} (${one.key})`}
        disabled={!hasBeen(one.from(at))}
        onClick={() => step(one)}
      />
    )
  }
  return (
    <div
      className="as-of"
      role="toolbar"
      aria-label="The past"
      onKeyDown={(event) => {
        const found = ofKey(event)
        if (!found || event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        step(found)
      }}
    >
      <IconHistory size={18} aria-hidden />
      <p role="status">
        <b title={formatDateTime(at)}>As of {formatMinute(at)}</b>
        <span>
          {age}
          {meanOf && `, ${meanOf}: readings of that time are no longer kept`}
        </span>
      </p>
      <div className="as-of-ways">
        {button(DAY_BACK)}
        {button(HOUR_BACK)}
        <AsOfButton shown={formatMinute(at)} onChoose={go} />
        {button(HOUR_ON)}
        {button(DAY_ON)}
        <ActionButton icon={IconArrowForwardUp} isMain onClick={() => go(undefined)}>
          Back to now
        </ActionButton>
      </div>
    </div>
  )
}
