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
  /** What was found, by name; of a lit display the first thing that is wrong although it is lit. */
  readonly finding: Finding
  /** Where the walk ended; undefined when it came through. */
  readonly link: LinkKind | undefined
  readonly sentence: string
  /** Undefined where nothing has to be done. */
  readonly action: DarknessAction | undefined
}

/** The answer for one display. */
export interface Walk {
  readonly displayNumber: number
  readonly displayName: string
  readonly verdict: Verdict
  /** In the order of the chain; what the device does not have is left out. */
  readonly links: readonly Link[]
}

interface Step {
  readonly kind: LinkKind
  readonly name: string
  readonly judge: () => Judged | undefined
}

/**
 * Why a display is dark: walks from the mains to the content and stops at the first link that is broken, unknown or
 * dark by plan. Silence and readings older than the offline limit make a link unknown, never good or bad. Where the
 * light is told, what is unknown on the way to it stops no walk (decision 273); where a sensor at the panel tells it,
 * what was concluded against it is no more than a warning (decision 215).
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

/** Light that is measured contradicts what was concluded on the way to it. */
function againstLight(link: Link, measured: boolean | undefined): Link {
  if (!measured || link.state !== 'broken' || !isBefore(link.kind, 'backlight')) return link
  return { ...link, state: 'warning', sentence: `${link.sentence} Yet there is light, measured at the panel.` }
}

/**
 * Unknown, and yet it is known what comes of it, as the display or a sensor at its panel tells now whether there is light:
 * what was never reported, or too long ago, is no evidence against that. The dark minutes go by the same evidence, so the
 * verdict of now would contradict them otherwise. Why a dark display is dark has to be known from the schedule all the same.
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

/** Of a device without connection every silence has one reason, and so it has where what it says cannot be used. */
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

/** One walk for each display of the device, by number; none for a device without displays. */
export function walksOf(facts: DarknessFacts, chain: FeedChain, now: Date): readonly Walk[] {
  return chain.parts.filter(({ kind }) => kind === 'display').map(({ number }) => whyDark(facts, chain, number, now))
}
