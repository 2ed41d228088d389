import { openPool } from '#server/db/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { insertDevices } from '#server/testing/gatewayFixture.ts'
import { killAroundPowerActions } from '#server/testing/powerKills.ts'
import { openPlace } from '../place.ts'

const DEVICES = 60

/** Kills of a whole server around power actions, against the books of devices that obey whatever they are told. */
export async function serverKillsBenchmark({ kills }: { readonly kills: number }): Promise<void> {
  const place = await openPlace()
  try {
    const owner = openPool(place.ownerUrl, { maximumConnections: 3, name: 'bench' })
    const devices = await insertDevices(owner, DEVICES)
    const userId = await addUser(owner, { username: `kills ${Date.now()}`, functions: [2] })
    const tally = await killAroundPowerActions({
      databaseUrls: place,
      owner,
      devices,
      token: await openSession(owner, userId),
      kills,
      random: Math.random,
      onRound: (round) => (round % 20 === 0 ? console.log(`${round} kills`) : undefined),
    })
    console.log(JSON.stringify(tally))
    await owner.end()
  } finally {
    await place.close()
  }
}
