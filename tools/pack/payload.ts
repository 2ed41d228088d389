import { cpSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** An installed server needs these: the programs as they are, and nothing that only makes or tests them. */
const CARRIED = [
  'contract',
  'domain',
  'server',
  'docs/guide',
  'deploy',
  'tools/children.mjs',
  'tools/config.ts',
  'tools/console.mjs',
  'tools/followParent.mjs',
  'tools/modulesWithoutTypes.mjs',
  'tools/node24.mjs',
  'tools/progress.mjs',
  'tools/refuseOldNode.cjs',
  'tools/run.mjs',
  'tools/serve.mjs',
  'tools/serverProcess.mjs',
  'tools/settingsPage.ts',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'LICENSE',
]
const LEFT_OUT = /\.test\.ts$|(^|\/)testing(\/|$)/

/** Copies all but the console, which is built, and the packages. */
export function layPayload(folder: string): void {
  const isWanted = (source: string) => !LEFT_OUT.test(relative(ROOT, source))
  for (const path of CARRIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isWanted })
}
