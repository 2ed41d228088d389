import { type KillRound, killRounds } from '#device/testing/killRounds.ts'
import { KILL_STEPS } from '#device/testing/killSteps.ts'
import { oneOf, roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

const REPEATED = 'This command came before; it is not carried out twice.'
const LATE = 'This command came too late; it was not carried out.'
const DONE_WHEN_REPEATED = ['beforeId', 'afterReplyKept', 'beforePublish', 'published']
const BEGUN_AFTER = ['beforeId', 'afterId']

export const agentKills = describeCampaign({
  name: 'agent-kills',
  proves:
    'A power command is never carried out twice or late, wherever the agent is killed, and always answered truly.',
  options: { ...roundsOf(500, 'kills'), step: oneOf(KILL_STEPS, 'where it is killed') },
  // Every step gets two kills.
  brief: { rounds: 2 * KILL_STEPS.length },
  async run(run) {
    const tally = { done: 0, refused: 0 }
    await killRounds({
      rounds: run.rounds(),
      seed: run.options.seed,
      steps: KILL_STEPS.filter((step) => run.options.step === '' || run.options.step === step),
      folder: run.folder,
      onRound: (round) => {
        for (const offence of offencesOf(round)) run.wrong(`${offence}: ${JSON.stringify(round)}`)
        tally[round.repeatedReply.ok ? 'done' : 'refused']++
      },
    })
    console.log(`${tally.done} done once, ${tally.refused} refused when repeated`)
  },
})

function offencesOf(round: KillRound): readonly string[] {
  const { step, begunBefore, begunAfter, begunLate, firstReply, repeatedReply, lateReply } = round
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const checks: readonly (readonly [string, boolean])[] = [
    ['carried out twice', begunBefore + begunAfter <= 1],
    ['carried out late', begunLate === 0],
    ['the late one is not refused as such', !lateReply.ok && lateReply.text === LATE],
    ['an answer given before does not stand', firstReply === undefined || same(firstReply, repeatedReply)],
    ['"done" is untrue', !repeatedReply.ok || begunBefore + begunAfter === 1],
    [
      'refused in other words',
      repeatedReply.ok || same(repeatedReply, { ok: false, text: REPEATED, errors: [REPEATED] }),
    ],
    ['begun at another step', step === 'any' || begunBefore === (BEGUN_AFTER.includes(step) ? 0 : 1)],
    ['answered otherwise', step === 'any' || repeatedReply.ok === DONE_WHEN_REPEATED.includes(step)],
  ]
  return checks.filter(([, isKept]) => !isKept).map(([offence]) => offence)
}
