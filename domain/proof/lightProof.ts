import { follower, type LevelReading, lightOf, type Span } from '#domain/darkness/minutes/darkMinutes.ts'

export const PLAY_VERDICTS = ['lit', 'dark', 'partlyLit', 'unknown'] as const
/** `panelLight` was measured at the panel, `backlight` the display reported itself. */
export const PLAY_EVIDENCE = ['panelLight', 'backlight', 'both', 'none'] as const
/** All seconds measured; all known; some unknown; none known. */
export const CERTAINTIES = ['high', 'medium', 'low', 'none'] as const

/** What is known of a play, in whole seconds: lit + dark + unknown is as long as it lasted. */
export interface ProvedPlay {
  readonly verdict: (typeof PLAY_VERDICTS)[number]
  readonly certainty: (typeof CERTAINTIES)[number]
  readonly evidence: (typeof PLAY_EVIDENCE)[number]
  readonly lit: number
  readonly dark: number
  readonly unknown: number
  /** Of lit and dark, the seconds whose light was measured at the panel. */
  readonly measured: number
}

const KINDS = ['litMeasured', 'litReported', 'darkMeasured', 'darkReported'] as const
type Kind = (typeof KINDS)[number]
type Seconds = Readonly<Record<Kind, number>>
const NO_SECONDS: Seconds = { litMeasured: 0, litReported: 0, darkMeasured: 0, darkReported: 0 }

interface KnownStretch {
  readonly from: number
  readonly to: number
  readonly kind: Kind
  /** The seconds of each kind before it. */
  readonly before: Seconds
}

/** What is known of light over a time: separate stretches in order. What none of them covers is unknown. */
export type KnownLight = readonly KnownStretch[]

/**
 * Folds the readings of displays once, so that any number of plays can be looked up. Each second is as its worst
 * display: dark, else unknown, else lit (rules/proof 2). Light counts as measured where that of each display was.
 */
export function knownLight(displays: readonly (readonly LevelReading[])[]): KnownLight {
  const lights = displays.map(lightOf)
  const borders = lights
    .flatMap(({ measured, reported }) => [...measured, ...reported])
    .flatMap(({ from, to }) => [from, to])
  const cuts = [...new Set(borders)].sort((a, b) => a - b)
  const lightAt = lights.map(({ measured, reported }) => {
    const [measuredAt, reportedAt] = [follower(measured), follower(reported)]
    return (second: number) => {
      const its = measuredAt(second)
      return its ? { isDark: its.isDark, isMeasured: true } : { isDark: reportedAt(second)?.isDark, isMeasured: false }
    }
  })
  const known: KnownStretch[] = []
  let before = NO_SECONDS
  for (const [index, from] of cuts.entries()) {
    const to = cuts[index + 1] ?? from
    const kind = kindOf(lightAt.map((look) => look(from)))
    if (kind === undefined || to === from) continue
    known.push({ from, to, kind, before })
    before = { ...before, [kind]: before[kind] + to - from }
  }
  return known
}

interface DisplayLight {
  readonly isDark: boolean | undefined
  readonly isMeasured: boolean
}

function kindOf(displays: readonly DisplayLight[]): Kind | undefined {
  const dark = displays.filter(({ isDark }) => isDark === true)
  if (dark.length > 0) return dark.some(({ isMeasured }) => isMeasured) ? 'darkMeasured' : 'darkReported'
  if (displays.length === 0 || displays.some(({ isDark }) => isDark === undefined)) return undefined
  return displays.every(({ isMeasured }) => isMeasured) ? 'litMeasured' : 'litReported'
}

/** Says of a time whether there was light, by which evidence and how certain. */
export function provePlay(known: KnownLight, { fromMs, toMs }: Span): ProvedPlay {
  const [from, to] = [Math.floor(fromMs / 1000), Math.floor(toMs / 1000)]
  const [first, last] = [secondsBefore(known, from), secondsBefore(known, to)]
  const of = (kind: Kind) => last[kind] - first[kind]
  const [lit, dark] = [of('litMeasured') + of('litReported'), of('darkMeasured') + of('darkReported')]
  const measured = of('litMeasured') + of('darkMeasured')
  const unknown = to - from - lit - dark
  return {
    ...{ verdict: verdictOf(lit, dark, unknown), certainty: certaintyOf(measured, lit + dark, unknown) },
    ...{ evidence: evidenceOf(measured, lit + dark), lit, dark, unknown, measured },
  }
}

/** Counts the known seconds before one, by kind. */
function secondsBefore(known: KnownLight, second: number): Seconds {
  let [low, high] = [0, known.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((known[middle] as KnownStretch).from < second) low = middle + 1
    else high = middle
  }
  const stretch = known[low - 1]
  if (stretch === undefined) return NO_SECONDS
  const { kind, from, to, before } = stretch
  return { ...before, [kind]: before[kind] + Math.min(second, to) - from }
}

/** Light alone makes a play lit; where some seconds are unknown, its certainty says so. */
function verdictOf(lit: number, dark: number, unknown: number): ProvedPlay['verdict'] {
  if (lit === 0) return dark === 0 ? 'unknown' : 'dark'
  return dark === 0 && unknown === 0 ? 'lit' : 'partlyLit'
}

function certaintyOf(measured: number, known: number, unknown: number): ProvedPlay['certainty'] {
  if (known === 0) return 'none'
  if (unknown > 0) return 'low'
  return measured === known ? 'high' : 'medium'
}

function evidenceOf(measured: number, known: number): ProvedPlay['evidence'] {
  if (known === 0) return 'none'
  if (measured === 0) return 'backlight'
  return measured === known ? 'panelLight' : 'both'
}
