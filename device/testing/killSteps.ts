import { join } from 'node:path'

/** Where around a command the agent is killed; `none`: it lives. */
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

/** What hardware has begun, one line each. Written before anything can be cut off. */
export const ledgerFile = (folder: string) => join(folder, 'ledger.txt')
