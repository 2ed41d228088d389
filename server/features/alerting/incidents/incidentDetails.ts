import { type IncidentDetails, MOST_INCIDENT_ENTRIES } from '#contract/http/alerting/incidents.ts'
import type { IncidentId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { toIncident } from '#server/incidents/shownIncidents.store.ts'
import { findIncident, readActions, readAlertEntries } from './incidents.store.ts'

/** @throws CallError `not_found` for an incident that does not concern the caller */
export async function readDetails(
  db: Given['db'] | Tx,
  scope: Scope,
  askedId: IncidentId,
  now: Date,
): Promise<IncidentDetails> {
  const row = await foundRow(findIncident(db, scope, askedId))
  const shown = toIncident(row, scope, now)
  const { entries, older } = await readAlertEntries(db, scope, row)
  // Actions may mention devices that the reader must not know of, so they are left out unless the reader sees the
  // whole incident.
  const done = shown.isWhole ? await readActions(db, scope, row.id) : []
  const all = [...entries, ...done].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return {
    ...shown,
    entries: all.slice(-MOST_INCIDENT_ENTRIES),
    olderEntries: older + Math.max(0, all.length - MOST_INCIDENT_ENTRIES),
    wasJoined: row.id !== askedId,
    mayChange: shown.isWhole,
  }
}
