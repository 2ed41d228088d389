import { type DarknessAction, helpFor } from './actions.ts'
import { doesAnswer, judgeBacklight, judgeContent, judgeDisplay, judgeSchedule } from './displayLinks.ts'
import { type DarknessFacts, lookAt } from './facts.ts'
import { type FeedChain, partOf } from './feedChain.ts'
import type { Finding, Judged, Link, LinkKind, VerdictKind } from './links.ts'
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
import { verdictSentence } from './verdictWords.ts'

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
 * dark by plan. Silence and readings older than the offline limit make a link unknown, never good or bad (issue:
 * Darkness, 2).
 */
export function whyDark(facts: DarknessFacts, chain: FeedChain, displayNumber: number, now: Date): Walk {
  const scene = sceneOf(facts, chain, now)
  const links: Link[] = []
  let end: Link | undefined
  for (const { kind, name, judge } of stepsOf(scene, displayNumber)) {
    const judged = judge()
    if (!judged) continue
    if (end) {
      links.push({ kind, name, state: 'notLookedAt', sentence: '', evidence: [] })
      continue
    }
    const link: Link = { kind, name, ...namedOffline(judged, facts) }
    links.push(link)
    if (link.state !== 'ok' && link.state !== 'warning') end = link
  }
  const displayName = partOf(chain, `display/${displayNumber}`)?.name ?? `Display ${displayNumber}`
  return { displayNumber, displayName, links, verdict: verdictOf(links, end, { scene, displayNumber, displayName }) }
}

export const sceneOf = (facts: DarknessFacts, chain: FeedChain, now: Date): Scene => ({
  facts,
  chain,
  look: lookAt(facts, now, lastCutOf(facts, chain)),
})

/** Of a device without connection every silence has one reason. */
function namedOffline(judged: Judged, { isOnline }: DarknessFacts): Judged {
  return judged.state === 'unknown' && !isOnline ? { ...judged, finding: 'offline' } : judged
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
  const deciding = end ?? warning
  const finding = deciding?.finding ?? 'lit'
  const kind = end === undefined ? 'lit' : (end.state as Exclude<VerdictKind, 'lit'>)
  return {
    kind,
    finding,
    link: end?.kind,
    sentence: verdictSentence({ kind, finding, deciding, displayName: about.displayName, warning }),
    action: helpFor(finding, { chain: about.scene.chain, displayNumber: about.displayNumber, deciding }),
  }
}

/** One walk for each display of the device, by number; none for a device without displays. */
export function walksOf(facts: DarknessFacts, chain: FeedChain, now: Date): readonly Walk[] {
  return chain.parts.filter(({ kind }) => kind === 'display').map(({ number }) => whyDark(facts, chain, number, now))
}
