import { execFile } from 'node:child_process'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

export interface OlderProgram {
  readonly root: string
  /** Git's name of the commit. */
  readonly commit: string
}

/**
 * Unpacks the version before this one from git: the newest tag that is not this commit or, without one, the commit
 * before the newest migration.
 *
 * @param chosen another commit, unless it is empty
 */
export async function unpackOlderProgram(folder: string, chosen: string): Promise<OlderProgram> {
  const git = async (...given: string[]) => (await run('git', ['-C', ROOT, ...given])).stdout.trim()
  const inside = await git('rev-parse', '--is-inside-work-tree').catch(() => 'false')
  if (inside !== 'true') throw new Error('The version before can be built only where the history of the project is.')
  const commit = await git('rev-parse', '--verify', `${chosen === '' ? await defaultCommit(git) : chosen}^{commit}`)
  const root = join(folder, 'older')
  await mkdir(root, { recursive: true })
  const archive = join(folder, 'older.tar')
  await git('archive', '--format=tar', '-o', archive, commit)
  await run('tar', ['-xf', archive, '-C', root])
  await rm(archive)
  const changed = await git('diff', '--stat', commit, 'HEAD', '--', 'package-lock.json')
  if (changed !== '') console.log('The older version runs on the packages of this one: its lock file differs.')
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return { root, commit: await git('log', '-1', '--format=%h %s', commit) }
}

async function defaultCommit(git: (...given: string[]) => Promise<string>): Promise<string> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => '')
  if (tag !== '') return tag
  const newest = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'server/db/migrations')
  return `${newest}^`
}
