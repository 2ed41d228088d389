import { OFFLINE_AFTER_MS } from '../devices/presence.ts'
import { REFUSED_FOR_MS } from '../devices/refusedReports.ts'
import { keepsRestarting, STARTS_COUNTED_MS } from '../devices/restarts.ts'
import { isPlannedDark } from '../displays/plannedLight.ts'
import type { DarknessAction } from './actions.ts'
import { isSwitching } from './consequence.ts'
import { type CommandFact, type DarknessFacts, plannedThen } from './facts.ts'
import type { FeedChain } from './feedChain.ts'
import type { Finding, Link, LinkKind } from './links.ts'
import { LOOKED_AT_FIELDS } from './lookedAt.ts'
import { LIGHT_KINDS, type LightKind, type Span } from './minutes/darkMinutes.ts'
import { judgeMains } from './supplyLinks.ts'
import { sceneOf, type Walk, walksOf } from './whyDark.ts'

export interface Cause {
  readonly displayNumber: number
  readonly displayName: string
  readonly finding: Finding
  readonly link: LinkKind
  /** The verdict in one sentence, with the name of the display. */
  readonly sentence: string
  /** The one action that could help; without a section it cannot be done remotely. */
  readonly action: {
    readonly kind: DarknessAction['kind']
    readonly words: string
    readonly section: string | null
    readonly control: string | null
  } | null
}

/** A present state with the earliest known moment of it; null if that is unknown. */
export interface Held<Value> {
  readonly value: Value
  readonly since: Date | null
}

export interface UnknownCommand {
  /** The name and the arguments are those of contract/mqtt/command.ts. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The moment of sending, in ISO 8601. */
  readonly at: string
}

/** The present state of a device, with all its displays as one. */
export interface VerdictNow {
  /** Null for a device without displays. */
  readonly light: Held<LightKind | null>
  readonly cause: Cause | null
  /** Null if no UPS reports it. */
  readonly isOnBattery: Held<boolean | null>
  /** Its client does not keep running, by its own count of starts; it reports that at its next start at the latest. */
  readonly isRestarting: Held<boolean>
  readonly isRefused: Held<boolean>
  /** Its clock is off by more than a report takes. */
  readonly isClockWrong: boolean
  /** The newest of the last day without an answer since. */
  readonly unknownCommand: UnknownCommand | null
  /** A display is dark without reason, in maintenance or not. */
  readonly isDark: boolean
  /** The present maintenance, however many windows it has; null if there is none. */
  readonly maintenance: { readonly since: Date; readonly until: Date } | null
  /** The next moment at which the clock alone may change the verdict; undefined for never. */
  readonly nextAt: Date | undefined
}

/**
 * Returns the verdict of a device: the light of its worst display (rules/states 12), by the same walks as those that
 * explain it. Each display has one kind, as its minutes have; in maintenance that is `maintenance`, whatever the walks
 * find.
 */
export function verdictNow(facts: DarknessFacts, chain: FeedChain, now: Date): VerdictNow {
  const worst = walksOf(facts, chain, now)
    .map((walk) => ({ walk, kind: kindOf(walk, facts) }))
    .reduce<{ walk: Walk; kind: LightKind } | undefined>(
      (before, one) => (before && rank(before.kind) <= rank(one.kind) ? before : one),
      undefined,
    )
  const { current, nextAt } = maintenanceAt(facts.maintenance, now)
  return {
    light: lightOf(worst, current, facts, now),
    cause: worst ? causeOf(worst.walk) : null,
    isOnBattery: onBattery(facts, chain, now),
    isRestarting: {
      value: restartingUntil(facts, now) !== undefined,
      since: facts.readings.get('client_starts')?.at ?? null,
    },
    isRefused: { value: facts.refused !== undefined, since: facts.refused?.since ?? null },
    isClockWrong: facts.clockErrorMs !== undefined,
    unknownCommand: unknownCommand(facts.commands),
    isDark: worst?.kind === 'unplanned',
    maintenance: current ? { since: new Date(current.fromMs), until: new Date(current.toMs) } : null,
    nextAt: [firstToGrowOld(facts, now), nextAt, refusedUntil(facts), restartingUntil(facts, now)].reduce(earlier),
  }
}

function lightOf(
  worst: { readonly walk: Walk; readonly kind: LightKind } | undefined,
  maintenance: Span | undefined,
  facts: DarknessFacts,
  now: Date,
): Held<LightKind | null> {
  if (worst === undefined) return { value: null, since: null }
  if (maintenance) return { value: 'maintenance', since: new Date(maintenance.fromMs) }
  return { value: worst.kind, since: sinceOf(decidingLink(worst.walk), facts, now) }
}

/** Returns the present period, and when that changes. */
function maintenanceAt(spans: readonly Span[], now: Date): { readonly current?: Span; readonly nextAt?: Date } {
  const nowMs = now.getTime()
  const current = spans.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
  const nextMs = current?.toMs ?? Math.min(...spans.map(({ fromMs }) => fromMs).filter((fromMs) => fromMs > nowMs))
  return { ...(current && { current }), ...(Number.isFinite(nextMs) && { nextAt: new Date(nextMs) }) }
}

const earlier = (one: Date | undefined, other: Date | undefined) =>
  one && other ? (one < other ? one : other) : (one ?? other)

const rank = (kind: LightKind) => LIGHT_KINDS.indexOf(kind)

function kindOf({ verdict, links }: Walk, facts: DarknessFacts): LightKind {
  switch (verdict.kind) {
    case 'broken':
      return 'unplanned'
    case 'lit':
      return isPlannedToBeDark(facts, links) ? 'litInOffTime' : 'lit'
    default:
      return verdict.kind
  }
}

/** Uses the moment of the reading that shows the light, as a walk does. */
function isPlannedToBeDark(facts: DarknessFacts, links: readonly Link[]): boolean {
  const at = links.find(({ kind }) => kind === 'backlight')?.evidence[0]?.at
  return !!at && isPlannedDark(plannedThen(facts, at))
}

/** Returns the link at which the walk ended, or that shows it to be lit. */
const decidingLink = ({ links, verdict }: Walk): Link | undefined =>
  links.find(({ kind }) => kind === (verdict.link ?? 'backlight'))

function causeOf({ displayNumber, displayName, verdict, links }: Walk): Cause | null {
  const link = verdict.link ?? links.find(({ state }) => state === 'warning')?.kind
  if (link === undefined) return null
  const { finding, sentence, action } = verdict
  // Absent values become null, because it is kept as JSON and compared with that.
  const help = action ? { ...action, section: action.section ?? null, control: action.control ?? null } : null
  return { displayNumber, displayName, finding, link, sentence, action: help }
}

/** Returns since when the evidence says so; evidence that became stale says nothing from then on. */
function sinceOf(link: Link | undefined, facts: DarknessFacts, now: Date): Date | null {
  if (link?.finding === 'offline') return lastReport(facts)
  const moments = (link?.evidence ?? []).flatMap(({ at, isStale }) =>
    at === null ? [] : [at.getTime() + (isStale ? OFFLINE_AFTER_MS : 0)],
  )
  return moments.length === 0 ? null : new Date(Math.min(Math.max(...moments), now.getTime()))
}

const lastReport = ({ readings }: DarknessFacts): Date | null =>
  readings.size === 0 ? null : new Date(Math.max(...readings.values().map(({ at }) => at.getTime())))

function onBattery(facts: DarknessFacts, chain: FeedChain, now: Date): Held<boolean | null> {
  const hasUps = chain.parts.some(({ kind }) => kind === 'ups')
  const mains = hasUps ? judgeMains(sceneOf(facts, chain, now)) : undefined
  if (mains === undefined || mains.state === 'unknown') return { value: null, since: null }
  const at = mains.evidence[0]?.at ?? null
  return { value: mains.state === 'warning', since: at }
}

const refusedUntil = ({ refused }: DarknessFacts): Date | undefined =>
  refused && new Date(refused.lastAt.getTime() + REFUSED_FOR_MS)

/**
 * Returns the end of the restart state: an hour after a client counted its starts, the count says nothing about the
 * last hour. Undefined if it keeps running.
 */
function restartingUntil({ readings }: DarknessFacts, now: Date): Date | undefined {
  const starts = readings.get('client_starts')
  if (!starts || !keepsRestarting(starts.value)) return undefined
  const until = new Date(starts.at.getTime() + STARTS_COUNTED_MS)
  return until > now ? until : undefined
}

function unknownCommand(newestFirst: readonly CommandFact[]): UnknownCommand | null {
  const answered = new Set<string>()
  for (const command of newestFirst.filter(isSwitching)) {
    const { name, args, state, sentAt } = command
    const target = targetOf(command)
    if (state === 'unknown' && sentAt && !answered.has(target)) return { name, args, at: sentAt.toISOString() }
    if (state === 'done' || state === 'refused') answered.add(target)
  }
  return null
}

const targetOf = ({ name, args: { number = '', port = '', group = '' } }: CommandFact) =>
  [name.split('.')[0], number, port, group].join('/')

const LOOKED_AT_NAMES = new Set(
  LOOKED_AT_FIELDS.flatMap(({ type, name }) => type.prefixes.map((prefix) => prefix + name)),
)

/** A verdict is valid until its first reading becomes stale; off times count by the readings themselves. */
function firstToGrowOld({ readings }: DarknessFacts, now: Date): Date | undefined {
  let firstMs = Number.POSITIVE_INFINITY
  for (const [name, { at }] of readings) {
    const oldFromMs = at.getTime() + OFFLINE_AFTER_MS
    if (oldFromMs >= now.getTime() && LOOKED_AT_NAMES.has(name)) firstMs = Math.min(firstMs, oldFromMs)
  }
  // A reading is still valid at the last moment of its time.
  return Number.isFinite(firstMs) ? new Date(firstMs + 1) : undefined
}
