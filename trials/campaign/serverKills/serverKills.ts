import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { killAroundPowerActions } from '#server/testing/wholeServer/powerKills.ts'
import { count, roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

const NEVER = ['twice', 'late', 'pending', 'invented', 'denied', 'withoutAudit'] as const

export const serverKills = describeCampaign({
  name: 'server-kills',
  proves: 'Over kills of the whole server around power actions none is done twice or late, or pending for ever.',
  options: {
    ...roundsOf(500, 'kills'),
    devices: count(60, 'devices that take turns: each may be asked again only after 10 s'),
  },
  brief: { rounds: 6, devices: 15 },
  async run(run) {
    const databaseUrls = await run.database()
    const owner = openPool(databaseUrls.ownerUrl, { maximumConnections: 3, name: 'trial owner' })
    const devices = await insertDevices(owner, run.options.devices, { modelId: 1 })
    const userId = await addUser(owner, { username: `kills ${Date.now()}`, functions: [2] })
    let kills = 0
    const tally = await killAroundPowerActions({
      databaseUrls,
      owner,
      devices,
      token: await openSession(owner, userId),
      rounds: counted(run.rounds(), () => kills++),
      random: () => run.chance(),
    })
    await owner.end()
    console.log(JSON.stringify(tally))
    for (const name of NEVER) if (tally[name] > 0) run.wrong(`${tally[name]} ${name}`)
    // Many a call finds the device offline on a busy machine; without executed ones nothing is proven.
    if (tally.executed <= kills / 3) run.wrong(`only ${tally.executed} were carried out over ${kills} kills`)
  },
})

function* counted(rounds: Iterable<number>, onRound: () => void) {
  for (const round of rounds) {
    onRound()
    yield round
  }
}
