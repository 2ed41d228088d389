import type { Evidence, Seen } from './facts.ts'

/** Links are in the order in which light needs them. */
export const LINK_KINDS = [
  'mains',
  'ups',
  'outlet',
  'router',
  'networkSwitch',
  'computer',
  'display',
  'backlight',
  'schedule',
  'content',
] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** `warning` means a problem that does not put the light out, `notLookedAt` a link behind the deciding one. */
export const LINK_STATES = ['ok', 'warning', 'broken', 'unknown', 'planned', 'notLookedAt'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** `lit` means that the walk came through; the others are the state of the link at which it ended. */
export const VERDICT_KINDS = ['lit', 'planned', 'broken', 'unknown'] as const
export type VerdictKind = (typeof VERDICT_KINDS)[number]

export const FINDINGS = [
  'lit',
  'offTime',
  'dayPlan',
  'ambientMinimum',
  'switchedOff',
  'upsNoOutput',
  'outletOff',
  'lampFault',
  'backlightDead',
  'backlightOff',
  'sourceLost',
  'outOfOrder',
  'offline',
  'displayUnreachable',
  'noReading',
  'onBattery',
  'batteryLow',
  'batteryWorn',
  'upsAlarm',
  'relayStuck',
  'routerOff',
  'networkDown',
  'answersLate',
  'answersNever',
  'overheating',
  'fanStuck',
  'displayFault',
  'displayRefuses',
  'reportsRefused',
  'clockWrong',
] as const
export type Finding = (typeof FINDINGS)[number]

export interface Judged {
  readonly state: LinkState
  /** Absent when the link is fine. */
  readonly finding?: Finding
  readonly sentence: string
  readonly evidence: readonly Evidence[]
  /** The key of the part that the action would have to switch. */
  readonly part?: string
}

export interface Link extends Judged {
  readonly kind: LinkKind
  readonly name: string
}

const evidenceOf = (seen: readonly Seen[]) => seen.map(({ evidence }) => evidence)

export const ok = (sentence: string, seen: readonly Seen[]): Judged => ({
  state: 'ok',
  sentence,
  evidence: evidenceOf(seen),
})

export function found(
  state: 'warning' | 'broken' | 'planned',
  finding: Finding,
  sentence: string,
  seen: readonly Seen[],
  part?: string,
): Judged {
  return { state, finding, sentence, evidence: evidenceOf(seen), ...(part === undefined ? {} : { part }) }
}

const wasReported = ({ at }: Seen) => at !== undefined
const isMissing = ({ value }: Seen) => value === undefined

type Missing = 'noReading' | 'displayUnreachable'

/** Returns unknown as soon as one of the needed values is missing; undefined if none is. */
export function unknownWithout(needed: readonly Seen[], finding: Missing = 'noReading'): Judged | undefined {
  const missing = needed.find((seen) => isMissing(seen) && wasReported(seen)) ?? needed.find(isMissing)
  if (!missing) return undefined
  // All values that are missing for the same reason are named, so that one visit can deal with all of them.
  const alike = needed.filter((seen) => isMissing(seen) && whyMissing(seen, true) === whyMissing(missing, true))
  const labels = alike.map(({ evidence }) => `"${evidence.label}"`)
  const sentence = `${listed(labels)} ${whyMissing(missing, labels.length > 1)}.`
  return { state: 'unknown', finding, sentence, evidence: evidenceOf(needed) }
}

function whyMissing(seen: Seen, areSeveral: boolean): string {
  if (!wasReported(seen)) return areSeveral ? 'were never reported' : 'was never reported'
  if (seen.isBeforeCut) {
    return areSeveral
      ? 'are from before their power was switched off, and no longer count'
      : 'is from before its power was switched off, and no longer counts'
  }
  return areSeveral ? 'are too old to count' : 'is too old to count'
}

const listed = (labels: readonly string[]) =>
  labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : (labels[0] ?? '')

/**
 * Does the same if any part tells something alone: values that were never reported are left out, because a device
 * without such a sensor would be unknown forever.
 */
export function unknownWithoutReported(wanted: readonly Seen[]): Judged | undefined {
  const reported = wanted.filter(wasReported)
  return unknownWithout(reported.length > 0 ? reported : wanted)
}

/** Makes evidence of words instead of a reading. */
export const worded = (label: string, text: string, at: Date | undefined): Seen => ({
  evidence: { label, text, at: at ?? null, isStale: false },
  value: text,
  at,
})
