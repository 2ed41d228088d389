import type { DarknessLink, DarknessWalk } from '#contract/http/insight/darkness.ts'

export const STATE_WORDS: Readonly<Record<DarknessLink['state'], string>> = {
  ok: 'OK',
  warning: 'Warning',
  broken: 'Broken',
  unknown: 'Unknown',
  planned: 'Planned',
  notLookedAt: 'Not checked',
}

const BY_NEED: readonly DarknessWalk['verdict']['kind'][] = ['broken', 'unknown', 'planned', 'lit']

/** It returns the display that needs attention most, the first among equals. */
export function worstOf(walks: readonly DarknessWalk[]): DarknessWalk | undefined {
  return walks.toSorted((a, b) => BY_NEED.indexOf(a.verdict.kind) - BY_NEED.indexOf(b.verdict.kind))[0]
}
