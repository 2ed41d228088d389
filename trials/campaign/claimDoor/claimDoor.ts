import { randomBytes } from 'node:crypto'
import { codeOfBytes } from '#domain/claims/claimCode.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addCustomer, addUser, type StartedApi, signIn, startApi } from '#server/testing/callers.ts'
import { count, roundsOf } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeCampaign } from '../../frame/trial.ts'
import { shareSlower } from './shareSlower.ts'

const [STRANGERS, ADDRESSES, BOXES] = [8, 40, 10]
/** A stranger has five tries at once, and gets one back every two minutes; an address has twenty. */
const [TRIES, TRIES_OF_ADDRESS, BEGINS] = [5, 20, 300]
const KINDS = ['wrong', 'used', 'late', 'foreign'] as const
type Kind = (typeof KINDS)[number]

export const claimDoor = describeCampaign({
  name: 'claimDoor',
  proves:
    'Strangers who try codes at the claim page learn nothing and get nothing, ten boxes are claimed meanwhile, and each try is in the audit log.',
  options: {
    ...roundsOf(2_000, 'tries of strangers'),
    timed: count(300, 'times each kind of code is timed', 0),
    flood: count(400, 'boxes that ask from one address', 0),
  },
  brief: { rounds: 30, timed: 0, flood: 0 },
  async run(run) {
    const database = await run.database()
    const servers = [await startApi({ on: database }), await startApi({ on: database })] as const
    const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'trial owner' })
    const door = await openDoor(run, servers, owner)
    await tryCodes(run, door)
    if (run.options.timed > 0) await timeAnswers(run, door)
    if (run.options.flood > 0) await flood(run, door)
    await Promise.all([...servers.map((server) => server.stop()), owner.end()])
  },
})

type Door = Awaited<ReturnType<typeof openDoor>>
type Trial = Run<{ rounds: number; seconds: number; seed: number; timed: number; flood: number }>

/** The customer Nordlys has its devices; the strangers belong to Metro, and may add devices there. */
async function openDoor(run: Trial, servers: readonly [StartedApi, StartedApi], owner: ReturnType<typeof openPool>) {
  const [here] = servers
  const [nordlys, metro] = [await addCustomer(owner, 'Nordlys'), await addCustomer(owner, 'Metro')]
  const tokenOf = async (username: string, customerId?: typeof metro) => {
    const functions = customerId === undefined ? ([1] as const) : ([3, 8] as const)
    await addUser(owner, { username, functions, ...(customerId !== undefined && { customerId }) })
    return signIn(here, username)
  }
  const staff = await tokenOf('admin@staff.example')
  const strangers = []
  for (let n = 0; n < STRANGERS; n++) strangers.push(await tokenOf(`stranger-${n}@metro.example`, metro))
  const ask = async (path: string, body: object, token?: string, remoteAddress = '192.0.2.1') => {
    const { app } = servers[Math.floor(run.chance() * 2)] as StartedApi
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await app.inject({
      method: 'POST',
      url: `/api/Claim/${path}`,
      payload: body,
      headers,
      remoteAddress,
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const begin = async (serial = randomBytes(6).toString('hex'), address?: string) => {
    const facts = { serialNumbers: [serial] }
    return ask('Begin', { key: randomBytes(32).toString('base64url'), facts }, undefined, address)
  }
  const claim = (code: string, token: string, customerId: number, address?: string) =>
    ask('ClaimDevice', { code, customerId, modelId: 22, name: `Totem ${code}` }, token, address)
  const show = async (serial?: string): Promise<string> => (await begin(serial)).body.code
  const [used, late] = [await show('SN-USED'), await show()]
  await claim(used, staff, nordlys)
  await owner.query(`update device_claim set code_until = now() where code = $1`, [late.replace('-', '')])
  const foreign = await show('SN-USED')
  const codes: Readonly<Record<Kind, () => string>> = {
    wrong: () => codeOfBytes(randomBytes(8)),
    used: () => used,
    late: () => late,
    foreign: () => foreign,
  }
  const takeBack = () => owner.query(`delete from allowance where subject like 'claim-try:%'`)
  return { owner, nordlys, metro, staff, strangers, ask, begin, claim, show, codes, takeBack }
}

async function tryCodes(run: Trial, { owner, nordlys, metro, staff, strangers, claim, show, codes }: Door) {
  const boxes: string[] = []
  for (let n = 0; n < BOXES; n++) boxes.push(await show())
  const [bodies, counts] = [new Set<string>(), new Map<string, number>()]
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const beganAt = Date.now()
  let statuses: Record<number, number> = {}
  for (const round of run.rounds()) {
    if (round % Math.ceil(Number(run.options.rounds) / BOXES) === 0) {
      const { status } = await claim(boxes.pop() ?? '', staff, nordlys, '198.51.100.1')
      if (status !== 200) run.wrong(`a box was not claimed: ${status}`)
    }
    const stranger = Math.floor(run.chance() * STRANGERS)
    const address = `10.9.0.${Math.floor(run.chance() * ADDRESSES)}`
    const kind = KINDS[Math.floor(run.chance() * KINDS.length)] as Kind
    const { status, body } = await claim(codes[kind](), strangers[stranger] ?? '', metro, address)
    statuses = { ...statuses, [status]: (statuses[status] ?? 0) + 1 }
    if (status === 429) continue
    bodies.add(JSON.stringify({ status, ...body, requestId: undefined }))
    note(`stranger ${stranger}`)
    note(address)
  }
  const back = Math.ceil((Date.now() - beganAt) / 30_000)
  console.log(`tries by status: ${JSON.stringify(statuses)}`)
  if (bodies.size !== 1) run.wrong(`the answers differ: ${[...bodies].join(' ')}`)
  for (const [who, judged] of counts)
    if (judged > (who.startsWith('stranger') ? TRIES : TRIES_OF_ADDRESS) + back)
      run.wrong(`${who} was judged ${judged} times`)
  const { rows } = await owner.query(
    `select (select count(*)::int from device where customer_id = $1) as got,
       (select count(*)::int from device where customer_id = $2) as claimed,
       (select count(*)::int from audit_log where call = 'Claim/ClaimDevice' and outcome = 'claim_not_valid') as refused,
       (select count(*)::int from audit_log where call = 'Claim/ClaimDevice' and outcome = 'done') as done,
       (select count(*)::int from audit_log where call = 'Claim/ClaimDevice' and outcome = 'too_many_requests') as limited`,
    [metro, nordlys],
  )
  const { got, claimed, refused, done, limited } = rows[0]
  console.log(`audit: ${refused} refused, ${limited} beyond a limit, ${done} claimed`)
  if (got !== 0) run.wrong(`strangers got ${got} devices`)
  if (claimed !== BOXES + 1 || done !== claimed) run.wrong(`${claimed} were claimed, ${done} by the audit log`)
  if (refused !== (statuses[400] ?? 0)) run.wrong(`${statuses[400]} were refused, ${refused} by the audit log`)
  if (statuses[429] && limited === 0) run.wrong('the audit log names no limit')
}

/** Each kind is as often slower than a wrong code as faster. */
async function timeAnswers(run: Trial, { strangers: [stranger = ''], claim, metro, codes, takeBack }: Door) {
  const took = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]))
  for (let n = 0; n < Number(run.options.timed); n++) {
    for (const kind of KINDS) {
      await takeBack()
      const beganAt = performance.now()
      await claim(codes[kind](), stranger, metro)
      took.get(kind)?.push(performance.now() - beganAt)
    }
  }
  for (const kind of KINDS.slice(1)) {
    const share = shareSlower(took.get(kind) ?? [], took.get('wrong') ?? [])
    console.log(`a ${kind} code is slower than a wrong one in ${(share * 100).toFixed(1)} % of pairs`)
    if (kind !== 'foreign' && Math.abs(share - 0.5) > 0.1) run.wrong(`a ${kind} code can be told by its time`)
  }
}

/** One address cannot fill the table, and keeps nobody else out. */
async function flood(run: Trial, { begin, owner }: Door) {
  const answers = await Promise.all(
    Array.from({ length: Number(run.options.flood) }, () => begin(undefined, '203.0.113.7')),
  )
  const taken = answers.filter(({ status }) => status === 200).length
  console.log(`${taken} of ${answers.length} boxes of one address were taken`)
  if (taken > BEGINS + 1) run.wrong(`${taken} were taken`)
  if ((await begin(undefined, '203.0.113.8')).status !== 200) run.wrong('another address was kept out')
  const { rows } = await owner.query(
    `select count(*)::int as n from audit_log where call = 'Claim/Begin' and outcome = 'too_many_requests'`,
  )
  if (taken < answers.length && rows[0].n === 0) run.wrong('the audit log names no limit of Begin')
}
