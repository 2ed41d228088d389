import type { Finding, Link, VerdictKind } from './links.ts'

interface Told {
  readonly kind: VerdictKind
  readonly finding: Finding
  /** Where the walk ended, or what is wrong although it is lit. */
  readonly deciding: Link | undefined
  readonly displayName: string
  readonly warning: Link | undefined
}

/** The verdict in one sentence, with the name of the display in front of it. */
export function verdictSentence({ kind, finding, deciding, displayName, warning }: Told): string {
  const what = deciding?.sentence ?? ''
  const also = warning && warning !== deciding ? ` Besides: ${warning.name}: ${lowered(warning.sentence)}` : ''
  switch (kind) {
    case 'lit':
      return warning
        ? `${displayName} is not dark, but something is wrong: ${warning.name}: ${lowered(what)}`
        : `${displayName} is not dark: every link is fine.`
    case 'planned':
      return `${displayName} is dark as planned: ${lowered(what)}${also}`
    case 'broken':
      return `${displayName} is dark: ${lowered(what)}${also}`
    case 'unknown':
      return `Unknown from here (${deciding?.name}): ${lowered(unknownWhy(finding, what))}${also}`
  }
}

const unknownWhy = (finding: Finding, what: string) =>
  finding === 'offline' ? 'The device is offline, so nothing is known of now.' : what

/** Within a sentence; a name in quotes keeps its letters. */
const lowered = (sentence: string) =>
  sentence.replace(/^(It|The|An|A|Every|Off|Nothing) /, (word) => word.toLowerCase())
