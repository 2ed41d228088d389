import type { DeviceId, IncidentId } from '#domain/ids.ts'
import { foldIncidents } from '#domain/incidents/foldIncidents.ts'
import { heirsOf } from '#domain/incidents/heirs.ts'
import { isSilence } from '#domain/incidents/occurrence.ts'
import { sharesOf } from '#domain/incidents/shares.ts'
import type { FleetSize } from '#domain/incidents/waves.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Statements } from '#server/db/statements.ts'
import { joinIncidents, noteMoved, takeIncidentIds, writeParts, writeShares } from './incidentRows.ts'
import {
  type DueAlert,
  fleetSize,
  incidentsNear,
  keyOf,
  type Part,
  partsIn,
  raisedParts,
  storedPartsOf,
} from './partRows.ts'

const DUE_AT_ONCE = 20_000

export interface FoldEnd {
  /** The alerts of these devices are in other incidents now, or their incidents changed. */
  readonly devices: ReadonlySet<DeviceId>
  readonly hasMore: boolean
}

/**
 * Folds raised, resolved, closed or withdrawn alerts into incidents. It runs in the caller's transaction, beside no
 * other folding: each time of an alert is in one incident, before and after.
 *
 * @param now when what has changed is known
 */
export async function foldDue(statements: Statements, now = new Date()): Promise<FoldEnd> {
  await statements.query(`select ${lockUntilCommit('incidents')}`)
  const { rows } = await statements.query<{
    device_id: DeviceId
    alert_id: DueAlert['alertId']
    incident_id: IncidentId | null
  }>(
    `delete from incident_due d using (select device_id, id from incident_due order by id limit $1) taken
     where d.device_id = taken.device_id and d.id = taken.id
     returning d.device_id, d.alert_id::float8 as alert_id, d.incident_id::float8 as incident_id`,
    [DUE_AT_ONCE],
  )
  if (rows.length === 0) return { devices: new Set(), hasMore: false }
  const due = [
    ...new Map(
      rows.map(({ device_id, alert_id }) => [`${device_id} ${alert_id}`, { deviceId: device_id, alertId: alert_id }]),
    ).values(),
  ]
  const left = rows.flatMap(({ incident_id }) => incident_id ?? [])
  const devices = await foldAlerts(statements, { due, left, now })
  return { devices, hasMore: rows.length === DUE_AT_ONCE }
}

async function foldAlerts(
  statements: Statements,
  { due, left, now }: { readonly due: readonly DueAlert[]; readonly left: readonly IncidentId[]; readonly now: Date },
): Promise<ReadonlySet<DeviceId>> {
  const [raised, stored] = [await raisedParts(statements, due), await storedPartsOf(statements, due)]
  const parts = asTheyWere(raised, stored)
  const touched = new Set([...left, ...stored.flatMap(({ incidentId }) => incidentId ?? [])])
  for (const id of await incidentsNear(statements, newsAmong(parts, stored))) touched.add(id)
  const isDue = new Set(due.map(keyOf))
  const others = (await partsIn(statements, [...touched])).filter((part) => !isDue.has(keyOf(part)))
  return refold(statements, { before: [...stored, ...others], parts: [...parts, ...others], touched, now })
}

/**
 * What people did with an alert stays with it, and so does its place. A time that late readings moved is the same time:
 * links and mails hold its number.
 */
function asTheyWere(raised: readonly Part[], stored: readonly Part[]): Part[] {
  const before = Map.groupBy(stored, keyOf)
  return [...Map.groupBy(raised, keyOf)].flatMap(([key, own]) => {
    const left = new Set(before.get(key) ?? [])
    const place = left.values().next().value?.place
    const taken = new Map<Part, Part>()
    const take = (part: Part, same: Part | undefined) => {
      if (same === undefined) return
      taken.set(part, same)
      left.delete(same)
    }
    for (const part of own)
      take(
        part,
        [...left].find(({ raisedMs }) => raisedMs === part.raisedMs),
      )
    for (const part of own) if (!taken.has(part)) take(part, nearestOf(part, left))
    return own.map((part) => {
      const same = taken.get(part)
      const kept = { place: place ?? part.place }
      return same ? { ...part, ...kept, groupId: same.groupId, incidentId: same.incidentId } : { ...part, ...kept }
    })
  })
}

function nearestOf(part: Part, left: ReadonlySet<Part>): Part | undefined {
  const distance = (one: Part) => Math.abs(one.raisedMs - part.raisedMs)
  return [...left].reduce<Part | undefined>(
    (best, one) => (best === undefined || distance(one) < distance(best) ? one : best),
    undefined,
  )
}

/** Finds parts that are new, or began or ended otherwise, because others may belong to them. */
function newsAmong(parts: readonly Part[], stored: readonly Part[]): Part[] {
  const known = new Map(stored.map((part) => [partKey(part), part]))
  return parts.filter((part) => {
    const before = known.get(partKey(part))
    return before === undefined || before.onsetMs !== part.onsetMs
  })
}

const partKey = (part: Part): string => `${keyOf(part)} ${part.raisedMs}`

interface Refolding {
  readonly before: readonly Part[]
  readonly parts: readonly Part[]
  /** All parts of these incidents are given. */
  readonly touched: ReadonlySet<IncidentId>
  readonly now?: Date
}

/** Folds some whole incidents again, with what has come or gone. */
export async function refold(
  statements: Statements,
  { before, parts, touched, now = new Date() }: Refolding,
): Promise<ReadonlySet<DeviceId>> {
  const size: FleetSize = parts.some(({ fieldId }) => isSilence(fieldId))
    ? await fleetSize(statements)
    : { all: 0, ofCustomer: new Map() }
  const found = foldIncidents(parts, size)
  const wholes = [...Map.groupBy(parts.keys(), (index) => found[index]).values()].map((own) =>
    own.flatMap((index) => parts[index] ?? []),
  )
  const { ids, joined } = heirsOf(wholes)
  const fresh = await takeIncidentIds(statements, ids.filter((id) => id === undefined).length)
  const named = wholes.map((own, whole) => ({ id: ids[whole] ?? (fresh.pop() as IncidentId), parts: own }))
  const placed = named.flatMap(({ id, parts: own }) =>
    own.map((part) => ({ ...part, was: part.incidentId, incidentId: id })),
  )
  await writeParts(statements, before, placed)
  // An incident that is merged whole takes its notices with it; a part that leaves alone may be news at its new place.
  await noteMoved(
    statements,
    placed.filter(
      ({ was, incidentId, isOpen }) => isOpen && was !== undefined && was !== incidentId && !joined.has(was),
    ),
    now,
  )
  await joinIncidents(
    statements,
    [...joined].flatMap(([id, whole]) => (named[whole] ? [{ id, into: named[whole].id }] : [])),
  )
  await writeShares(
    statements,
    touched,
    named.map(({ id, parts: own }) => ({ id, shares: sharesOf(own) })),
    now,
  )
  return new Set([...before, ...parts].map(({ deviceId }) => deviceId))
}
