import type { Finding, Link, VerdictKind } from './links.ts'

interface Told {
  readonly kind: VerdictKind
  readonly finding: Finding
  /** The link at which the walk ended, or the problem although it is lit. */
  readonly deciding: Link | undefined
  readonly displayName: string
  readonly warning: Link | undefined
  /** A value that is unknown, but was not needed. */
  readonly passed: Link | undefined
  /** The light or darkness is measured at the panel. */
  readonly isMeasured: boolean
}

/** Returns the verdict in one sentence that begins with the name of the display. */
export function verdictSentence({ kind, finding, deciding, displayName, warning, passed, isMeasured }: Told): string {
  const what = deciding?.sentence ?? ''
  const besides = [warning, passed].find((link) => link !== undefined && link !== deciding)
  const also = besides ? ` Besides: ${besides.name}: ${lowered(besides.sentence)}` : ''
  switch (kind) {
    case 'lit':
      if (warning) {
        const known = isMeasured ? ', measured at the panel' : ''
        return `${displayName} is lit${known}, but ${lowered(what)}`
      }
      if (isMeasured) return `${displayName} is lit, measured at the panel.${also}`
      return passed ? `${displayName} is lit.${also}` : `${displayName} is lit: every link is fine.`
    case 'planned':
      return `${displayName} is dark as planned: ${lowered(what)}${also}`
    case 'broken':
      return `${displayName} is dark: ${lowered(what)}${also}`
    case 'unknown':
      if (finding === 'offline') return `The device is offline, so its current state is unknown.${also}`
      return `Unknown from here (${deciding?.name}): ${lowered(what)}${also}`
  }
}

/** Within a sentence; a name in quotes keeps its letters. */
const lowered = (sentence: string) =>
  sentence.replace(/^(It|The|An|A|Every|Off|Nothing|Mains|Backlight) /, (word) => word.toLowerCase())
