import type pg from 'pg'
import type { IncidentId } from '#domain/ids.ts'
import { type ChannelKind, KINDS } from '#domain/notifications/channelKinds.ts'
import { SILENCE_WAITS_MS } from '#domain/notifications/mailRules.ts'
import { messageNews } from '#domain/notifications/messageNews.ts'
import { hoursEndMs, judgeRoute, OVER_BEFORE, type RoutedIncident, type WhyNot } from '#domain/notifications/routing.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { NOTICES_JOB } from '#server/incidents/dueRows.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { QUIET_EVERY_DAY } from './channelRows.ts'
import { type ReadIncident, readShares } from './incidentReading.ts'
import {
  type Facts,
  factsKey,
  type MessageRow,
  type RouteRow,
  type RunRow,
  readFacts,
  readMessages,
  readRoutes,
  readRuns,
} from './judgedRows.ts'
import { type Judged, moveToHeirs, type Notice, writeJudged, writeNotices } from './judgedWrites.ts'
import { readTargetsOf, type Target } from './targets.ts'

const JUDGED_AT_ONCE = 500

/**
 * Decides for incidents that changed or are due who is notified, and records why or why not; messages become due. It
 * runs in the caller's transaction, beside no other judging or sending.
 *
 * @returns whether there may be more
 */
export async function judgeIncidents(connection: pg.ClientBase, now: Date): Promise<boolean> {
  await connection.query(`select ${lockUntilCommit('notices')}`)
  const { rows } = await connection.query<{ id: IncidentId }>(
    `select incident_id::float8 as id from notify_due where due_at <= $1 order by due_at, incident_id limit $2 for update`,
    [now, JUDGED_AT_ONCE],
  )
  if (rows.length === 0) return false
  const ids = rows.map(({ id }) => id)
  await moveToHeirs(connection, ids)
  const round = await readRound(connection, ids, now)
  const found = new Map<IncidentId, Judged>()
  for (const id of ids) found.set(id, await judgeOne(round, id, now))
  await writeJudged(connection, found, now)
  // A message that was begun is due at once.
  const messages = await readMessages(connection, ids)
  await writeDue(connection, ids, messages, { round, found, now })
  return ids.length === JUDGED_AT_ONCE
}

async function readRound(connection: pg.ClientBase, ids: readonly IncidentId[], now: Date) {
  const shares = await readShares(connection, ids)
  return {
    routes: await readRoutes(connection),
    shares: new Map(shares.map((share) => [factsKey(share.incidentId, share.shareId), share])),
    facts: await readFacts(connection, ids, now),
    runs: Map.groupBy(await readRuns(connection, ids), ({ incidentId }) => incidentId),
    messages: Map.groupBy(await readMessages(connection, ids), ({ incidentId }) => incidentId),
    targetOf: await readTargetsOf(connection, now),
  }
}

type Round = Awaited<ReturnType<typeof readRound>>

async function judgeOne(round: Round, id: IncidentId, now: Date): Promise<Judged> {
  const judged: Judged = { notices: [], begun: [], moved: [], readers: [], channels: [], due: [] }
  for (const route of round.routes) {
    const shareId = route.customerId ?? route.ofCustomerId ?? 0
    const key = factsKey(id, shareId)
    const [share, facts] = [round.shares.get(key), round.facts.get(key)]
    // Nothing of the incident belongs to them.
    if (share === undefined || facts === undefined) continue
    const run = round.runs.get(id)?.find((one) => one.routeId === route.id && one.shareId === shareId)
    await judgeRouteOf({ round, judged, route, share, facts, run }, now)
  }
  return judged
}

type Note = (
  outcome: Notice['outcome'],
  target: Pick<Target, 'name' | 'userId'> & { readonly channelId?: number; readonly isMailed?: true },
  reason: string,
  untilMs?: number,
) => void

interface RouteOf {
  readonly round: Round
  readonly judged: Judged
  readonly route: RouteRow
  readonly share: ReadIncident
  readonly facts: Facts
  readonly run: RunRow | undefined
}

async function judgeRouteOf(of: RouteOf, now: Date): Promise<void> {
  const { judged, route, share, run } = of
  const before = run && { beganMs: run.beganAt.getTime(), stepsDone: run.stepsDone }
  const verdict = judgeRoute(route, routedOf(of), before, now.getTime())
  const note: Note = (outcome, { name: target, userId, channelId, isMailed }, reason, untilMs) =>
    judged.notices.push({
      shareId: share.shareId,
      route,
      outcome,
      target,
      userId,
      channelId,
      isMailed,
      reason,
      untilMs,
    })
  for (const step of verdict.steps) await notify(of, step, note)
  if (verdict.whyNot) {
    const { outcome, reason, untilMs } = verdict.whyNot
    note(outcome, { name: '' }, reason, untilMs)
  }
  const stepsDone = verdict.ends ? route.steps.length : (before?.stepsDone ?? 0) + verdict.steps.length
  if (verdict.begins) judged.begun.push({ shareId: share.shareId, routeId: route.id, stepsDone })
  else if (run && stepsDone !== run.stepsDone) judged.moved.push({ runId: run.id, stepsDone })
  if (verdict.dueMs !== undefined) judged.due.push(verdict.dueMs)
}

function routedOf({ share, facts }: RouteOf): RoutedIncident {
  const { message, snoozedUntil, createdAt, isOfSilence } = share
  return {
    state: message.state,
    severityId: message.severityId,
    tagKeys: facts.tagKeys,
    acknowledgedBy: message.acknowledgedBy,
    snoozedUntilMs: snoozedUntil?.getTime(),
    isQuiet: facts.isQuiet,
    isPaired: facts.isPaired,
    notifies: facts.notifies,
    silentUntilMs: isOfSilence ? createdAt.getTime() + SILENCE_WAITS_MS : undefined,
  }
}

/** Runs one step of a route: a channel sends the incident, or a reason is recorded why none does. */
async function notify({ round, judged, route, share }: RouteOf, step: number, note: Note): Promise<void> {
  const wanted = route.steps[step]
  if (wanted === undefined) return
  const target = await round.targetOf(wanted, route)
  if ('whyNot' in target) return void note('not', target, target.whyNot)
  const shareId = target.customerId ?? share.shareId
  if (!round.shares.has(factsKey(share.incidentId, shareId)))
    return void note('not', target, 'It does not concern their customer.')
  const begun = [...(round.messages.get(share.incidentId) ?? []), ...judged.channels]
  const minutes = wanted.afterMinutes
  const why = minutes === 0 ? 'It matches the route.' : `Not acknowledged after ${minutes} min.`
  note('told', target, why)
  if ('isMailed' in target) return void judged.readers.push({ userId: target.userId ?? 0, shareId })
  if (begun.some(({ channelId }) => channelId === target.channelId)) return
  judged.channels.push({ channelId: target.channelId, shareId })
}

interface Judging {
  readonly round: Round
  readonly found: ReadonlyMap<IncidentId, Judged>
  readonly now: Date
}

/** Writes when each message is due, and when each incident is judged again. */
async function writeDue(
  connection: pg.ClientBase,
  ids: readonly IncidentId[],
  messages: readonly MessageRow[],
  { round, found, now }: Judging,
): Promise<void> {
  const planned: { id: number; next_at: Date | null; wanted_at: Date }[] = []
  const unsent = new Map<IncidentId, Notice[]>()
  const due = new Map(ids.map((id) => [id, [...(found.get(id)?.due ?? [])]]))
  for (const message of messages) {
    const share = round.shares.get(factsKey(message.incidentId, message.shareId))
    const facts = round.facts.get(factsKey(message.incidentId, message.shareId))
    const next = share && facts ? nextOf(message, share, facts, now.getTime()) : undefined
    const nextAt = next?.sendMs === undefined ? null : new Date(next.sendMs)
    if (next?.judgeMs !== undefined) due.get(message.incidentId)?.push(next.judgeMs)
    if (share && next?.whyNot)
      unsent.set(message.incidentId, [...(unsent.get(message.incidentId) ?? []), unsentNotice(message, next.whyNot)])
    const wantedAt = message.nextAt === null ? now : message.wantedAt
    if (message.nextAt?.getTime() !== nextAt?.getTime())
      planned.push({ id: message.id, next_at: nextAt, wanted_at: wantedAt })
  }
  await writeNotices(connection, unsent, now)
  if (planned.some(({ next_at }) => next_at !== null)) await connection.query(ringSql(NOTICES_JOB))
  await connection.query(
    `update incident_message m set next_at = spoken.next_at, wanted_at = spoken.wanted_at
     from jsonb_to_recordset($1::jsonb) as spoken (id bigint, next_at timestamptz, wanted_at timestamptz)
     where m.id = spoken.id`,
    [JSON.stringify(planned)],
  )
  const next = [...due].map(([id, moments]) => ({
    id,
    at: moments.length === 0 ? null : new Date(Math.min(...moments)),
  }))
  await connection.query(
    `with looked as (
       select * from jsonb_to_recordset($1::jsonb) as looked (id bigint, at timestamptz)),
     gone as (
       delete from notify_due n using looked where n.incident_id = looked.id and looked.at is null)
     update notify_due n set due_at = looked.at from looked where n.incident_id = looked.id and looked.at is not null`,
    [JSON.stringify(next)],
  )
}

/** Records why a message that fits a route is not sent, or not yet. */
const unsentNotice = (message: MessageRow, whyNot: WhyNot): Notice => ({
  shareId: message.shareId,
  route: { id: 0, name: '', customerId: message.channelCustomerId },
  target: message.channelName,
  channelId: message.channelId,
  ...whyNot,
})

export const hasWokenSince = (toldAt: Date | null, snoozedUntil: Date | null, nowMs: number): boolean =>
  toldAt !== null && snoozedUntil !== null && snoozedUntil > toldAt && snoozedUntil.getTime() <= nowMs

/** @returns `sendMs`: when it is sent; `whyNot`: why not, or not yet; `judgeMs`: when this has to be judged again */
function nextOf(
  message: MessageRow,
  share: ReadIncident,
  facts: Facts,
  nowMs: number,
): { readonly sendMs?: number; readonly judgeMs?: number; readonly whyNot?: WhyNot } | undefined {
  const snoozedMs = share.snoozedUntil?.getTime() ?? 0
  // An incident that is active then is notified, even where nothing else has changed.
  if (message.told !== null && snoozedMs > nowMs) return { judgeMs: snoozedMs }
  const { opensTicket, updates } = KINDS[message.kind as ChannelKind]
  // A resolved incident needs no ticket.
  if (message.told === null && opensTicket && share.current.state !== 'active') return { whyNot: OVER_BEFORE }
  const news = messageNews({
    told: message.told ?? undefined,
    now: share.current,
    calmMs: nowMs - share.turnedAt.getTime(),
    sinceToldMs: nowMs - (message.toldAt?.getTime() ?? 0),
    timesOver: message.timesOver,
    updates: message.hasOwn && updates,
    hasWoken: hasWokenSince(message.toldAt, share.snoozedUntil, nowMs),
  })
  if (news === undefined) return undefined
  if (typeof news === 'object') return { judgeMs: nowMs + news.waitMs }
  if (message.told !== null && facts.isQuiet && share.current.state === 'active')
    return { judgeMs: nowMs + SILENCE_WAITS_MS }
  const { quiet } = message
  const isQuiet = quiet !== null && !(quiet.tellsCritical && share.current.severityId === 1)
  const quietUntilMs = isQuiet ? (hoursEndMs(QUIET_EVERY_DAY(quiet), nowMs) ?? nowMs) : nowMs
  // It may have been snoozed during quiet hours.
  const sendMs = Math.max(quietUntilMs, snoozedMs)
  const reason = quietUntilMs < sendMs ? 'It is snoozed.' : 'Its quiet hours last.'
  if (sendMs > nowMs) return { sendMs, whyNot: { outcome: 'waits', reason, untilMs: sendMs } }
  return { sendMs: Math.min(message.nextAt?.getTime() ?? nowMs, nowMs) }
}
