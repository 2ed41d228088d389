import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, roundsOf } from '../options.ts'
import { runTrials } from '../runTrials.ts'
import { describeTrial } from '../trial.ts'

// Tests of the frame run this program with trials of its own: `node trialProgram.ts NAME [OPTION …]`.

/** Takes all that a trial may take, prints it, and waits to be interrupted. */
const holding = describeTrial({
  name: 'holding',
  proves: 'Everything is there.',
  options: {},
  async run(run) {
    const { ownerUrl } = await run.database()
    const { pid, port } = await run
      .worker(new URL('./worker.ts', import.meta.url))
      .ask<{ pid: number; port: number }>({})
    writeFileSync(join(run.folder, 'a file'), '')
    process.send?.({ folder: run.folder, ownerUrl, pid, port })
    await sleep(60_000)
  },
})

const rolling = describeTrial({
  name: 'rolling',
  proves: 'The same seed rolls the same.',
  options: { ...roundsOf(5, 'rolls'), wrongAt: count(-1, 'the round that goes wrong', -1) },
  async run(run) {
    for (const round of run.rounds()) {
      console.log(`rolled ${run.chance()}`)
      if (round === run.options.wrongAt) run.wrong(`round ${round}`)
      if (run.options.seconds > 0) await sleep(100)
    }
  },
})

const throwing = describeTrial({
  name: 'throwing',
  proves: 'Nothing.',
  options: {},
  async run() {
    throw new Error('It broke.')
  },
})

await runTrials('campaign', [holding, rolling, throwing])
