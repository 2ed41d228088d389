import { buildReleases } from '#device/testing/releases.ts'
import { killDuringUpdate, listUpdateKills } from '#device/testing/updateKills.ts'
import { startUpdateRig } from '#device/testing/updateRig.ts'
import { roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

const FEWEST_STEPS = 50

export const updateKills = describeCampaign({
  name: 'update-kills',
  proves:
    'Wherever the power goes during an update, the device starts again and the update comes to its end, and a release that does not start is given up.',
  options: roundsOf(100, 'kills, at another step each until all were taken'),
  brief: { rounds: 6 },
  async run(run) {
    const rig = await startUpdateRig(await buildReleases())
    try {
      const kills = await listUpdateKills(rig)
      console.log(`${kills.length} steps`)
      if (kills.length < FEWEST_STEPS) run.wrong(`only ${kills.length} steps were found`)
      const shuffled = kills
        .map((kill) => ({ kill, place: run.chance() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ kill }) => kill)
      for (const round of run.rounds()) {
        const kill = shuffled[round % shuffled.length]
        if (kill === undefined) return
        await killDuringUpdate(rig, kill).catch((error: unknown) =>
          run.wrong(`${kill.offers} release, after ${kill.step}: ${error instanceof Error ? error.message : error}`),
        )
      }
    } finally {
      await rig.stop()
    }
  },
})
