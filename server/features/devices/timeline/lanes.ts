import type { z } from 'zod'
import type { deviceTimeline } from '#contract/http/devices/records.ts'
import { type AlertMove, occurrencesOf } from '#domain/alerts/fold/occurrences.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { titleOf } from '#server/fleet/alertTitles.ts'
import { appliedSettings } from '#server/fleet/appliedSettings.ts'
import type { Scope } from '#server/http/call/caller.ts'
import type { Period } from '#server/http/reading/period.ts'
import type { LightAndPower } from './lightAndPower.ts'
import type { WrittenDown } from './timeline.store.ts'

interface Found {
  readonly written: WrittenDown
  readonly told: LightAndPower
  readonly period: Period
  readonly mostItems: number
  readonly now: Date
  readonly scope: Scope
}

type Answer = z.input<typeof deviceTimeline>
interface Timed {
  readonly fromMs: number
}
interface Stretch extends Timed {
  readonly toMs: number | null
}
interface Lane<Item> {
  readonly items: readonly Item[]
  readonly sinceMs: number
}

export function lanesOf({ written, told: found, period, mostItems, now, scope }: Found): Required<Answer> {
  const [fromMs, toMs] = [period.from.getTime(), period.to.getTime()]
  const ofPeriod = <Item extends Timed>(items: readonly Item[]) => laneOf(items, fromMs, mostItems)
  // A dark day belongs to the customer with whom it began, so light from before is not shown to the next.
  const lightFromMs = Math.max(found.lightSinceMs, (scope.kind === 'customer' && written.arrivedMs) || 0)
  /** A period that reaches the present still lasts. */
  const open = (untilMs: number) => (untilMs >= now.getTime() - SETTLES_MS ? null : moment(untilMs))
  const moves = Map.groupBy(written.moves, ({ alertId }) => alertId)
  const alerts = written.alerts.flatMap(({ id, text, named, severityId, closedMs, createdMs }) =>
    metTimes((moves.get(id) ?? []).toReversed(), createdMs, closedMs)
      .filter((met) => met.fromMs <= toMs && (met.toMs ?? toMs) >= fromMs)
      .map((met) => ({ ...met, alertId: id, conditionText: text, title: titleOf(named), severityId })),
  )
  return {
    alerts: stretches(ofPeriod(alerts.toSorted((a, b) => b.fromMs - a.fromMs))),
    commands: stretches(ofPeriod(written.commands)),
    settings: told(ofPeriod(written.settings), ({ id, fromMs, after, by }) => ({
      ...{ at: moment(fromMs), id, by },
      ...appliedSettings(after),
    })),
    updates: stretches(ofPeriod(written.updates)),
    presence: stretches(
      laneOf(offlineTimes(written.presence, toMs), presenceSince(written.presence, fromMs), mostItems),
    ),
    light: told(
      laneOf(
        found.light
          .filter(({ kind, toMs }) => kind !== 'lit' && toMs > lightFromMs)
          .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, lightFromMs) }))
          .toReversed(),
        lightFromMs,
        mostItems,
      ),
      ({ kind, fromMs, toMs, hours }) => ({ from: moment(fromMs), to: open(toMs), kind, ...(hours && { hours }) }),
    ),
    power: told(laneOf(found.onBattery.toReversed(), found.powerSinceMs, mostItems), ({ fromMs, toMs, hours }) => ({
      from: moment(fromMs),
      to: open(toMs),
      ...(hours && { hours }),
    })),
    windows: stretches(ofPeriod(written.windows)),
    maintenance: stretches(ofPeriod(written.maintenance)),
  }
}

/** Reports come each minute, so a state that was reported less than two minutes ago may still last. */
const SETTLES_MS = 2 * MINUTE_MS

/** @param newestFirst holds one more than a lane when there is more */
function laneOf<Item extends Timed>(newestFirst: readonly Item[], sinceMs: number, mostItems: number) {
  const items = newestFirst.slice(0, mostItems).toReversed()
  const isWhole = newestFirst.length <= mostItems
  return { items, sinceMs: isWhole ? sinceMs : Math.max(sinceMs, items[0]?.fromMs ?? sinceMs) }
}

const told = <Item, Told>({ items, sinceMs }: Lane<Item>, tell: (item: Item) => Told) => ({
  since: moment(sinceMs),
  items: items.map(tell),
})

const moment = (ms: number) => new Date(ms).toISOString()

const stretches = <Item extends Stretch>(lane: Lane<Item>) =>
  told(lane, ({ fromMs, toMs, ...item }) => ({
    from: moment(fromMs),
    to: toMs === null ? null : moment(toMs),
    ...item,
  }))

function metTimes(moves: readonly AlertMove[], createdMs: number, closedMs: number | null) {
  const met = occurrencesOf(moves)
  if (met.length === 0) return [{ fromMs: createdMs, toMs: closedMs }]
  return met.map(({ from, to }) => ({
    fromMs: Date.parse(from),
    toMs: to === undefined ? closedMs : Date.parse(to),
  }))
}

/** The event before the period comes along; without one nothing is known before the first within it. */
const presenceSince = (newestFirst: WrittenDown['presence'], fromMs: number) =>
  Math.max(fromMs, newestFirst.at(-1)?.atMs ?? fromMs)

/** Pairs offline events with the next online event. They come newest first. */
function offlineTimes(newestFirst: WrittenDown['presence'], toMs: number) {
  return newestFirst.flatMap(({ atMs, isOnline, reason }, index) => {
    if (isOnline || atMs > toMs) return []
    // Two offline events in a row are one time, which the first of them describes.
    if (newestFirst[index + 1]?.isOnline === false) return []
    const end = newestFirst.slice(0, index).findLast((later) => later.isOnline)
    return [{ fromMs: atMs, toMs: end?.atMs ?? null, reason }]
  })
}
