import type pg from 'pg'
import { type AttentionRow, MOST_ATTENTION_ROWS, type WrongNow } from '#contract/http/insight/overview.ts'
import { byUrgency, countAttention } from '#domain/attention/attention.ts'
import { problemLabel } from '#domain/attention/problemLabels.ts'
import { recommendedStep } from '#domain/attention/recommendedStep.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, IncidentId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { titleOf } from '#server/fleet/alertTitles.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { type IncidentRow, incidentRowsIn, shareOf } from '#server/incidents/shownIncidents.store.ts'
import {
  type FoundGroup,
  groupDevices,
  groupIncidents,
  type HaltedRollout,
  haltedRollouts,
} from './attentionGroups.store.ts'
import { countWrong, type NamedDevice, nameDevices } from './needsAttention.store.ts'

interface Deps {
  readonly db: Db
  readonly pool: pg.Pool
}

const WARNING = 2

/** A halted rollout may reach devices of every customer, so only who sees all of them is told of it. */
const rolloutsFor = (pool: pg.Pool, scope: Scope) => (scope.kind === 'everything' ? haltedRollouts(pool) : [])

/**
 * Reads what needs attention: incidents, and every device that is dark or not reporting, whether an incident tells it
 * or not (rules/overview 11).
 */
export async function readNeedsAttention({ db, pool }: Deps, scope: Scope): Promise<WrongNow> {
  const [counted, devices, incidents, rollouts] = await Promise.all([
    countWrong(pool, scope),
    groupDevices(pool, scope),
    groupIncidents(pool, shareOf(scope)),
    rolloutsFor(pool, scope),
  ])
  const halted = new Map(rollouts.map((rollout) => [`rollout ${rollout.id}`, rollout]))
  const all = [...devices, ...incidents, ...[...halted].map(([key, rollout]) => toGroup(key, rollout))]
  const sorted = all.toSorted(byUrgency)
  const isExcused = ({ group }: FoundGroup) => group === 'excused'
  const shown = [
    ...sorted.filter((one) => !isExcused(one)).slice(0, MOST_ATTENTION_ROWS),
    ...sorted.filter(isExcused).slice(0, MOST_ATTENTION_ROWS),
  ]
  const [named, told] = await Promise.all([
    nameDevices(
      pool,
      scope,
      shown.flatMap(({ deviceIds }) => deviceIds),
    ),
    incidentsOf(db, scope, shown),
  ])
  return {
    ...counted,
    attention: { ...countAttention(all) },
    rowCount: all.filter((one) => !isExcused(one)).length,
    rows: shown.map((one) => toRow(one, { named, told, halted })),
  }
}

async function incidentsOf(db: Db, scope: Scope, groups: readonly FoundGroup[]) {
  const ids = groups.flatMap(({ incidentId }) => incidentId ?? [])
  if (ids.length === 0) return new Map<IncidentId, IncidentRow>()
  const rows = await incidentRowsIn(db, scope, shareOf(scope)).where('s.incident_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const toGroup = (key: string, { since, deviceCount }: HaltedRollout): FoundGroup => ({
  ...{ key, group: 'rollout', kind: null, severityId: WARNING, since, isAtLeast: false, deviceCount },
  ...{ deviceIds: [], incidentId: null, alert: null },
})

interface Known {
  readonly named: ReadonlyMap<DeviceId, NamedDevice>
  readonly told: ReadonlyMap<IncidentId, IncidentRow>
  readonly halted: ReadonlyMap<string, HaltedRollout>
}

function toRow(found: FoundGroup, { named, told, halted }: Known): AttentionRow {
  const { key, group, kind, severityId, since, isAtLeast, deviceCount, incidentId } = found
  const devices = found.deviceIds.flatMap((id) => named.get(id) ?? [])
  const [first] = devices
  const incident = incidentId === null ? undefined : told.get(incidentId)
  const isOfIncident = kind === null && incident !== undefined
  const rollout = halted.get(key)
  return {
    ...{ key, group, kind, severityId, deviceCount, isAtLeast },
    what: rollout ? haltedLabel(rollout) : isOfIncident ? incidentLabel(incident) : groupLabel(found, first),
    devices: devices.map(({ deviceId, deviceGuid, deviceModelId, deviceName, customerName, address }) => ({
      ...{ deviceId, deviceGuid, deviceModelId, deviceName, customerName, address },
    })),
    since: since?.toISOString() ?? null,
    ownerName: incident?.owner_name ?? '',
    incidentId: incident?.id ?? null,
    alertId: isOfIncident ? incident.alert_id : null,
    updateId: rollout?.id ?? null,
    step: deviceCount > 1 ? null : isOfIncident ? chartStep(incident) : darkStep(found, first),
  }
}

const haltedLabel = ({ version, failed, reached }: HaltedRollout): string =>
  `Rollout of ${version} halted: ${failed} of ${reached} device${reached === 1 ? '' : 's'} failed`

function incidentLabel(row: IncidentRow): string {
  // The value that the alert was raised with would contradict the reading of now.
  const text = titleOf({ ...row, value: null })
  const more = row.device_count === 1 ? row.active_count - 1 : 0
  return more > 0 ? `${text}, and ${more} more` : text
}

function groupLabel(found: FoundGroup, device: NamedDevice | undefined): string {
  const { group, kind, alert: raised, deviceCount } = found
  const alert = raised === null ? undefined : titleOf(raised)
  return problemLabel({ isExcused: group === 'excused', kind: kind ?? 'alerted', alert, deviceCount, device })
}

/** A measured value has a chart; a state has none that would tell more. */
const chartStep = ({ field_id: fieldId }: IncidentRow): AttentionRow['step'] =>
  numberedFieldById(fieldId)?.field.unit ? { kind: 'chart', label: 'Open chart', control: null } : null

const darkStep = ({ group, kind }: FoundGroup, device: NamedDevice | undefined): AttentionRow['step'] =>
  group === 'dark' && kind === 'dark' && device?.cause ? recommendedStep(device.cause) : null
