import { killRounds } from '#device/testing/killRounds.ts'

const SHOWN_EVERY = 25

/** Kills the agent around power commands, much more often than the tests do, and counts what must not happen. */
export async function killsBenchmark(options: { readonly rounds: number; readonly seed: number }): Promise<void> {
  console.log(`seed ${options.seed}, ${options.rounds} kills`)
  const wrong: string[] = []
  let done = 0
  let refused = 0
  await killRounds({
    ...options,
    onRound: (round, index) => {
      const { begunBefore, begunAfter, begunLate, firstReply, repeatedReply } = round
      const isContradicted = firstReply && JSON.stringify(firstReply) !== JSON.stringify(repeatedReply)
      const isUntrue = repeatedReply.ok && begunBefore + begunAfter !== 1
      if (begunBefore + begunAfter > 1 || begunLate > 0 || isContradicted || isUntrue) wrong.push(JSON.stringify(round))
      if (repeatedReply.ok) done++
      else refused++
      if ((index + 1) % SHOWN_EVERY === 0) console.log(`${index + 1} kills, ${wrong.length} wrong`)
    },
  })
  console.log(`${options.rounds} kills: ${done} done once, ${refused} refused when repeated, ${wrong.length} wrong`)
  for (const round of wrong) console.log(round)
  if (wrong.length > 0) process.exitCode = 1
}
