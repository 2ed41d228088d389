import { tidyBackups } from './retention.ts'
import { takeCopy } from './takeCopy.ts'

// Whole copies run in a process of their own, so that compressing and hashing delays no report of a device. The task
// and the key come in one message, because a command line and an environment can be read by others.

export interface CopyTask {
  readonly ownerUrl: string
  readonly isEmbedded: boolean
  readonly dataFolder: string
  readonly folder: string
  readonly keyDigits: string | undefined
  readonly keepDays: number
}

export type CopyResult = { readonly name: string } | { readonly problem: string }

async function run({ keyDigits, keepDays, ...task }: CopyTask): Promise<CopyResult> {
  const key = keyDigits === undefined ? undefined : Buffer.from(keyDigits, 'hex')
  const { name, facts } = await takeCopy({ ...task, key })
  await tidyBackups({ folder: task.folder, systemId: facts.systemId, key, keepDays, now: new Date(facts.endedAt) })
  return { name }
}

process.once('message', (task: CopyTask) => {
  run(task).then(
    (result) => process.send?.(result, () => process.disconnect()),
    (error: Error) => process.send?.({ problem: error.message }, () => process.disconnect()),
  )
})
// The parent is gone, and with it the connection that holds the lock for copies.
process.once('disconnect', () => process.exit())
