import { openPool } from '#server/db/connect/pool.ts'
import { addUser, PASSWORD, type StartedApi, signIn, startApi } from '#server/testing/callers.ts'
import { count, roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

/** So many guesses of one name are checked, wherever they come from; as many more become possible within hours. */
const MOST_JUDGED = 100
const AT_ONCE = 4

export const guesses = describeCampaign({
  name: 'guesses',
  proves: 'Of any number of guesses at one name at most a hundred are judged, and its owner still signs in.',
  options: {
    ...roundsOf(10_000, 'guesses, half of them at each of two servers'),
    addresses: count(250, 'addresses from which they come'),
  },
  brief: { rounds: 500 },
  async run(run) {
    const database = await run.database()
    const [here, there] = [await startApi({ on: database }), await startApi({ on: database })]
    const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'trial owner' })
    const username = `guessed-${run.options.seed}@a.example`
    await addUser(owner, { username, functions: [2] })
    await signIn(here, username)
    const statuses = new Map<number, number>()
    const rounds = run.rounds()
    const guess = async () => {
      for (const round of rounds) {
        const address = `10.9.0.${Math.floor(run.chance() * run.options.addresses)}`
        const status = await login(round % 2 ? here : there, username, `guess ${round}`, address)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, guess))
    const { 401: judged = 0, 429: refused = 0, ...others } = Object.fromEntries(statuses)
    console.log(`${judged} judged, ${refused} refused`)
    if (judged === 0 || judged > MOST_JUDGED) run.wrong(`${judged} were judged`)
    if (Object.keys(others).length > 0) run.wrong(`answered otherwise: ${JSON.stringify(others)}`)
    // One address is where the owner has signed in before, and the other one where nobody has guessed.
    for (const address of ['127.0.0.1', '203.0.113.9']) {
      const status = await login(here, username, PASSWORD, address)
      if (status !== 200) run.wrong(`the owner was answered ${status} at ${address}`)
    }
    await Promise.all([here.stop(), there.stop(), owner.end()])
  },
})

async function login({ app }: StartedApi, username: string, password: string, remoteAddress: string) {
  const payload = { username, password }
  return (await app.inject({ method: 'POST', url: '/api/App/Login', payload, remoteAddress })).statusCode
}
