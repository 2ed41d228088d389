// This is plain JavaScript without packages: the first program of a fresh clone, on whatever Node.js exists.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './refuseOldNode.cjs'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const WANTED_MAJOR = 24

export function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

const isWantedNode = (program) => {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 && Number.parseInt(stdout.slice(1), 10) >= WANTED_MAJOR
}

/**
 * Finds the Node.js that runs TypeScript: that of the installed platform package, or this one when it is new enough.
 */
export function findNode24() {
  const installed = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(installed) && isWantedNode(installed)) return realpathSync(installed)
  if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) return process.execPath
  return giveUp(
    `Wayside runs on Node.js ${WANTED_MAJOR}, for which ${process.platform}-${process.arch} has no package here: ` +
      `install Node.js ${WANTED_MAJOR} from https://nodejs.org and start again.`,
  )
}
