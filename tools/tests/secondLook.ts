import { relative } from 'node:path'
import { ROOT } from '../node24.mjs'
import { NOTHING, sum } from './counts.ts'
import type { Outcome } from './outcome.ts'

/** Runs the files of a stage, or only those named; `brokenFiles` is missing when the run failed and not a file. */
export type StageRun = (files: readonly string[]) => Promise<Outcome & { brokenFiles: readonly string[] | undefined }>

/** More files that fail at once are no accident of timing. */
const UNSTEADY_LIMIT = 3
/** A failure of one in a thousand passes twice alone; a real one does not. */
const LOOKS = 2

/**
 * Runs a stage, and failed files twice more without the others beside them. What passes both times is unsteady: it is
 * named with its output, and does not stop somebody who changed something else (decision 172).
 */
export async function withSecondLook(run: StageRun): Promise<Outcome> {
  const { brokenFiles, ...first } = await run([])
  if (first.counts.failed === 0 || brokenFiles === undefined) return first
  if (brokenFiles.length === 0 || brokenFiles.length > UNSTEADY_LIMIT) return first
  for (let look = 1; look <= LOOKS; look++) {
    const { counts } = await run(brokenFiles)
    // Files that vanish from a run would otherwise pass it.
    if (counts.failed > 0 || counts.passed === 0) return first
  }
  const { failed, ...others } = first.counts
  const counts = sum([
    { ...others, failed: 0 },
    { ...NOTHING, passed: failed },
  ])
  return { ...first, counts, unsteadyFiles: brokenFiles }
}

/** Lists what somebody has to mend, although it stops nobody. */
export const unsteadyLines = (files: readonly string[]): readonly string[] =>
  files.length === 0
    ? []
    : ['Unsteady, failed once and passed twice alone; to be mended:', ...files.map((file) => `  ${shown(file)}`)]

const shown = (file: string) => (file.startsWith(ROOT) ? relative(ROOT, file) : `e2e/${file}`)
