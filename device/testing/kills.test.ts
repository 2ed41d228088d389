import { expect, test } from 'vitest'
import { killRounds } from './killRounds.ts'
import { KILL_STEPS } from './killSteps.ts'

/** Twice at every step; `npm run bench -- kills --rounds 500` does more of them. */
const ROUNDS = 2 * KILL_STEPS.length
const REPEATED = 'This command came before; it is not carried out twice.'
const DONE_WHEN_REPEATED = { beforeId: true, afterReplyKept: true, beforePublish: true, published: true } as const
const BEGUN_BEFORE = { beforeId: 0, afterId: 0 } as const

test('a power command is never carried out twice or late, wherever the agent is killed, and always answered', {
  timeout: 240_000,
}, async () => {
  const seed = Math.floor(Math.random() * 1e6)
  console.log(`seed ${seed}`)
  const rounds = await killRounds({ rounds: ROUNDS, seed })
  for (const round of rounds) {
    const { step, begunBefore, begunAfter, begunLate, firstReply, repeatedReply, lateReply } = round
    const about = `seed ${seed}, ${JSON.stringify(round)}`
    expect(begunBefore + begunAfter, about).toBeLessThanOrEqual(1)
    expect(begunLate, about).toBe(0)
    expect(lateReply, about).toMatchObject({ ok: false, text: 'This command came too late; it was not carried out.' })
    // An answer given before stands; one that says "done" is true.
    if (firstReply) expect(repeatedReply, about).toEqual(firstReply)
    if (repeatedReply.ok) expect(begunBefore + begunAfter, about).toBe(1)
    else expect(repeatedReply, about).toEqual({ ok: false, text: REPEATED, errors: [REPEATED] })
    if (step === 'any') continue
    expect(begunBefore, about).toBe(step in BEGUN_BEFORE ? 0 : 1)
    expect(repeatedReply.ok, about).toBe(step in DONE_WHEN_REPEATED)
  }
  expect(rounds).toHaveLength(ROUNDS)
})
