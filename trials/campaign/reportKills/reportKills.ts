import { openPool } from '#server/db/connect/pool.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { killAroundReports } from '#server/testing/wholeServer/reportKills.ts'
import { count, roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

const NEVER = [
  'lost',
  'twice',
  'invented',
  'altered',
  'wrongStates',
  'wrongHours',
  'wrongAlerts',
  'wrongVerdicts',
] as const

export const reportKills = describeCampaign({
  name: 'report-kills',
  proves:
    'Over kills of the server every acknowledged report is stored exactly once, and what is worked out of them is right.',
  options: { ...roundsOf(100, 'kills'), devices: count(50, 'devices that report all the time') },
  brief: { rounds: 2 },
  async run(run) {
    const databaseUrls = await run.database()
    const owner = openPool(databaseUrls.ownerUrl, { maximumConnections: 2, name: 'trial owner' })
    let kills = 0
    const rounds = (function* () {
      for (const round of run.rounds()) {
        kills++
        yield round
      }
    })()
    const devices = await insertDevices(owner, run.options.devices)
    const tally = await killAroundReports({ databaseUrls, owner, devices, rounds, chance: () => run.chance() })
    await owner.end()
    console.log(`${kills} kills: ${JSON.stringify(tally)}`)
    for (const name of NEVER) if (tally[name] > 0) run.wrong(`${tally[name]} ${name}`)
    const least = kills * devices.length
    if (tally.acknowledged < least) run.wrong(`only ${tally.acknowledged} reports were acknowledged, not ${least}`)
  },
})
