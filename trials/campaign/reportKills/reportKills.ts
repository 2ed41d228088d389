import { openPool } from '#server/db/pool.ts'
import { insertDevices } from '#server/testing/gatewayFixture.ts'
import { killAroundReports } from '#server/testing/reportKills.ts'
import { count, roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

const NEVER = ['lost', 'twice', 'invented', 'altered'] as const

export const reportKills = describeCampaign({
  name: 'report-kills',
  proves: 'Over kills of the server every acknowledged report is stored exactly once, and none that was never sent.',
  options: { ...roundsOf(100, 'kills'), devices: count(50, 'devices that report all the time') },
  brief: { rounds: 5 },
  async run(run) {
    const { ownerUrl, applicationUrl } = await run.database()
    const owner = openPool(ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    let kills = 0
    const rounds = (function* () {
      for (const round of run.rounds()) {
        kills++
        yield round
      }
    })()
    const devices = await insertDevices(owner, run.options.devices)
    const tally = await killAroundReports({ applicationUrl, owner, devices, rounds, chance: () => run.chance() })
    await owner.end()
    console.log(`${kills} kills: ${JSON.stringify(tally)}`)
    for (const name of NEVER) if (tally[name] > 0) run.wrong(`${tally[name]} ${name}`)
    const least = kills * devices.length
    if (tally.acknowledged < least) run.wrong(`only ${tally.acknowledged} reports were acknowledged, not ${least}`)
  },
})
