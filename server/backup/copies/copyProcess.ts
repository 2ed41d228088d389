import { tidyBackups } from './retention.ts'
import { takeCopy } from './takeCopy.ts'

// A process of its own for whole copies: what it compresses and hashes delays no report of a device. What it is to do,
// the key too, comes in one message, so that neither its command line nor its environment tells it.

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
// Whoever asked is gone, and with it the connection that says who may.
process.once('disconnect', () => process.exit())
