import { clockErrorText } from '../devices/deviceClock.ts'
import { type DarknessAction, helpFor } from './actions.ts'
import {
  doesAnswer,
  judgeBacklight,
  judgeContent,
  judgeDisplay,
  judgeSchedule,
  type Light,
  lightOf,
} from './displayLinks.ts'
import { type DarknessFacts, lookAt } from './facts.ts'
import { type FeedChain, partOf } from './feedChain.ts'
import { type Finding, type Judged, LINK_KINDS, type Link, type LinkKind, type VerdictKind } from './links.ts'
import { lastCutOf } from './powerCuts.ts'
import {
  judgeComputer,
  judgeMains,
  judgeNetworkSwitches,
  judgeOutlets,
  judgeRouters,
  judgeUps,
  type Scene,
} from './supplyLinks.ts'
import { verdictSentence } from './verdictLabels.ts'

export interface Verdict {
  readonly kind: VerdictKind
  /** The finding by name; for a lit display the first problem despite the light. */
  readonly finding: Finding
  /** The link at which the walk ended; undefined if it came through. */
  readonly link: LinkKind | undefined
  readonly sentence: string
  /** Undefined if nothing has to be done. */
  readonly action: DarknessAction | undefined
}

export interface Walk {
  readonly displayNumber: number
  readonly displayName: string
  readonly verdict: Verdict
  /** Links in the order of the chain, without those that the device lacks. */
  readonly links: readonly Link[]
}

interface Step {
  readonly kind: LinkKind
  readonly name: string
  readonly judge: () => Judged | undefined
}

/**
 * Returns why a display is dark: walks from the mains to the content and stops at the first link that is broken,
 * unknown or dark by plan. Silence and readings older than the offline limit make a link unknown, never good or bad. If
 * the light is known, an unknown link on the way stops no walk (decision 273); if a sensor at the panel shows it,
 * conclusions against it are merely warnings (decision 215).
 */
export function whyDark(facts: DarknessFacts, chain: FeedChain, displayNumber: number, now: Date): Walk {
  const scene = sceneOf(facts, chain, now)
  const light = lightOf(scene, displayNumber)
  const measured = light.isMeasured ? light.isLit : undefined
  const links: Link[] = []
  let end: Link | undefined
  for (const { kind, name, judge } of stepsOf(scene, displayNumber)) {
    const judged = judge()
    if (!judged) continue
    if (end) {
      links.push({ kind, name, state: 'notLookedAt', sentence: '', evidence: [] })
      continue
    }
    const link = againstLight({ kind, name, ...namedCause(judged, facts, now) }, measured)
    links.push(link)
    if (link.state !== 'ok' && link.state !== 'warning' && !isPassed(link, light)) end = link
  }
  const displayName = partOf(chain, `display/${displayNumber}`)?.name ?? `Display ${displayNumber}`
  return { displayNumber, displayName, links, verdict: verdictOf(links, end, { scene, displayNumber, displayName }) }
}

const isBefore = (kind: LinkKind, other: LinkKind) => LINK_KINDS.indexOf(kind) < LINK_KINDS.indexOf(other)

/** Measured light contradicts a conclusion on the way to it. */
function againstLight(link: Link, measured: boolean | undefined): Link {
  if (!measured || link.state !== 'broken' || !isBefore(link.kind, 'backlight')) return link
  return { ...link, state: 'warning', sentence: `${link.sentence} Yet there is light, measured at the panel.` }
}

/**
 * True if the link is unknown but its effect is known, because the display or a sensor at its panel shows whether there
 * is light: missing or stale readings are no evidence against that. The dark minutes use the same evidence, so the
 * present verdict would otherwise contradict them. The reason for darkness must be known from the schedule all the
 * same.
 */
function isPassed({ kind, state, finding }: Link, { isLit }: Light): boolean {
  if (state !== 'unknown' || finding === 'offline' || isLit === undefined) return false
  return isLit || isBefore(kind, 'backlight')
}

export const sceneOf = (facts: DarknessFacts, chain: FeedChain, now: Date): Scene => ({
  facts,
  chain,
  look: lookAt(facts, now, lastCutOf(facts, chain)),
})

/** Every silence has one reason on a device without connection, and likewise if its reports cannot be used. */
function namedCause(judged: Judged, { isOnline, refused, clockErrorMs }: DarknessFacts, now: Date): Judged {
  if (judged.state !== 'unknown') return judged
  if (!isOnline) return { ...judged, finding: 'offline' }
  if (refused) {
    return {
      ...judged,
      finding: 'reportsRefused',
      sentence: `The device is connected, but its reports are refused: ${refused.detail} ${judged.sentence}`,
    }
  }
  if (clockErrorMs === undefined) return judged
  const clock = `The device is connected, but its clock is ${clockErrorText(clockErrorMs, now)}.`
  return { ...judged, finding: 'clockWrong', sentence: `${clock} ${judged.sentence}` }
}

function stepsOf(scene: Scene, number: number): readonly Step[] {
  const { chain } = scene
  const displayKey = `display/${number}`
  const hasUps = partOf(chain, 'ups') !== undefined
  const display = partOf(chain, displayKey)?.name ?? `Display ${number}`
  return [
    { kind: 'mains', name: 'Mains', judge: () => (hasUps ? judgeMains(scene) : undefined) },
    { kind: 'ups', name: 'UPS', judge: () => (hasUps ? judgeUps(scene) : undefined) },
    {
      kind: 'outlet',
      name: scene.facts.modelId === 1 ? 'Power switch' : 'Relay',
      judge: () => judgeOutlets(scene, displayKey, doesAnswer(scene, number)),
    },
    { kind: 'router', name: 'Router', judge: () => judgeRouters(scene) },
    { kind: 'networkSwitch', name: 'Network switch', judge: () => judgeNetworkSwitches(scene) },
    { kind: 'computer', name: 'Computer', judge: () => judgeComputer(scene) },
    { kind: 'display', name: display, judge: () => judgeDisplay(scene, number) },
    { kind: 'backlight', name: 'Backlight', judge: () => judgeBacklight(scene, number) },
    { kind: 'schedule', name: 'Schedule and ambient rule', judge: () => judgeSchedule(scene, number) },
    { kind: 'content', name: 'Content', judge: () => judgeContent(scene, number) },
  ]
}

interface About {
  readonly scene: Scene
  readonly displayNumber: number
  readonly displayName: string
}

function verdictOf(links: readonly Link[], end: Link | undefined, about: About): Verdict {
  const warning = links.find(({ state }) => state === 'warning')
  const passed = links.find((link) => link !== end && link.state === 'unknown')
  const isMeasured = lightOf(about.scene, about.displayNumber).isMeasured
  const deciding = end ?? warning
  const finding = deciding?.finding ?? 'lit'
  const kind = end === undefined ? 'lit' : (end.state as Exclude<VerdictKind, 'lit'>)
  return {
    kind,
    finding,
    link: end?.kind,
    sentence: verdictSentence({ kind, finding, deciding, displayName: about.displayName, warning, passed, isMeasured }),
    action: helpFor(finding, { chain: about.scene.chain, displayNumber: about.displayNumber, deciding }),
  }
}

/** Returns one walk for each display of the device, by number; none for a device without displays. */
export function walksOf(facts: DarknessFacts, chain: FeedChain, now: Date): readonly Walk[] {
  return chain.parts.filter(({ kind }) => kind === 'display').map(({ number }) => whyDark(facts, chain, number, now))
}
