import { join } from 'node:path'

/** The point around a command at which the agent is killed; with `none` it lives. */
export const KILL_STEPS = [
  'beforeId',
  'afterId',
  'hardwareBegun',
  'beforeReplyKept',
  'afterReplyKept',
  'beforePublish',
  'published',
  'any',
] as const
export type KillStep = (typeof KILL_STEPS)[number]

/** The hardware writes a line here for everything it begins, before it can be interrupted. */
export const ledgerFile = (folder: string) => join(folder, 'ledger.txt')
