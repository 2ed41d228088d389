import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup'
/** The period is short, so that a process which has used up its share soon goes on. */
const PERIOD_US = 10_000

/**
 * Limits a process to a share of one core by a control group of Linux, which shows on a busy machine what a process of
 * that size does.
 *
 * @param percent of one core
 * @returns a function that removes the limit, once the process has ended
 * @throws where control groups cannot be made, as without the rights of root
 */
export function holdToShare(pid: number, percent: number): () => void {
  const isUnified = existsSync(join(ROOT, 'cgroup.controllers'))
  const folder = join(ROOT, isUnified ? '' : 'cpu', `wayside-trial-${pid}`)
  const quotaUs = Math.round((PERIOD_US * percent) / 100)
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  mkdirSync(folder)
  if (isUnified) write('cpu.max', `${quotaUs} ${PERIOD_US}`)
  else {
    write('cpu.cfs_period_us', String(PERIOD_US))
    write('cpu.cfs_quota_us', String(quotaUs))
  }
  write('cgroup.procs', String(pid))
  return () => rmdirSync(folder)
}
