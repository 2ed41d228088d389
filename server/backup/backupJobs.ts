import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { AnyJob } from '../jobs/JobRunner.ts'
import { type BackupState, copiesDue, refuseWithoutKey } from './backupState.ts'
import type { CopyResult, CopyTask } from './copies/copyProcess.ts'
import { streamLog } from './log/logStream.ts'

export interface BackupJobDeps extends Omit<CopyTask, 'keyDigits'> {
  readonly key: Buffer | undefined
  readonly everyHours: number
  readonly readState: () => Promise<BackupState>
  readonly log: { info(details: object, message: string): void }
}

/** The loss of a machine costs at most this, a fifth of the five minutes that are promised. */
export const KEEP_LOG_EVERY_MS = MINUTE_MS
const GO_ON_AFTER_MS = 5 * SECOND_MS
const LOOK_EVERY_MS = 15 * SECOND_MS
const TRY_AGAIN_AFTER_MS = 5 * MINUTE_MS

/** Keeps the log all the time and takes whole copies on schedule, in the process that leads. */
export function backupJobs(deps: BackupJobDeps): readonly AnyJob[] {
  let notBeforeMs = 0
  return [
    {
      name: 'backupLog',
      everyMs: GO_ON_AFTER_MS,
      async runUnfenced(stopped) {
        refuseWithoutKey(await deps.readState())
        await streamLog({ ...deps, keepEveryMs: KEEP_LOG_EVERY_MS, stopped })
      },
    },
    {
      name: 'backupCopy',
      everyMs: LOOK_EVERY_MS,
      async runUnfenced(stopped) {
        const state = await deps.readState()
        refuseWithoutKey(state)
        if (performance.now() < notBeforeMs) return
        if (!copiesDue(state, new Date(), deps.everyHours * HOUR_MS)) return
        // A copy that fails has cost as much as one that succeeds, so the next one waits as long.
        notBeforeMs = performance.now() + TRY_AGAIN_AFTER_MS
        const { name } = await copyElsewhere({ ...taskOf(deps), keyDigits: deps.key?.toString('hex') }, stopped)
        notBeforeMs = 0
        deps.log.info({ copy: name }, 'a whole backup was taken, and read again')
      },
    },
  ]
}

const taskOf = ({ ownerUrl, isEmbedded, dataFolder, folder, keepDays }: BackupJobDeps) => ({
  ...{ ownerUrl, isEmbedded, dataFolder, folder, keepDays },
})

const PROGRAM = fileURLToPath(new URL('./copies/copyProcess.ts', import.meta.url))

async function copyElsewhere(task: CopyTask, stopped: AbortSignal): Promise<{ readonly name: string }> {
  // The child must not inherit this process's arguments: they refer to a parent of its own.
  const child = fork(PROGRAM, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const end = () => child.kill('SIGKILL')
  stopped.addEventListener('abort', end)
  try {
    const result = await new Promise<CopyResult>((resolve, reject) => {
      child.once('message', resolve)
      child.once('error', reject)
      child.once('exit', (code, signal) => reject(new Error(`The backup ended early (${signal ?? code}).`)))
      child.send(task)
    })
    if ('problem' in result) throw new Error(result.problem)
    return result
  } finally {
    stopped.removeEventListener('abort', end)
  }
}
