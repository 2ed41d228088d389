import type { AnswerOf } from '#contract/call/call.ts'
import type { getLinkedIncident } from '#contract/http/alerting/incidentNotices.ts'
import { CallError } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { toIncident } from '#server/incidents/shownIncidents.store.ts'
import { hashOfLink } from '#server/notifications/acknowledgeLinks.ts'
import { type FoundLink, findLink, takeLink } from './acknowledgeLinks.store.ts'
import { acknowledge, type IncidentDeps } from './incidentChanges.ts'
import { findIncident } from './incidents.store.ts'

const callerOf = ({ userId, username, customerId }: FoundLink) => ({
  userId,
  username,
  ...(customerId !== null && { customerId }),
})

/** @throws CallError `link_not_valid` for a link that was used, has expired, or is no link */
async function requireLink({ db, clock }: IncidentDeps, token: string): Promise<FoundLink & { readonly hash: Buffer }> {
  const hash = hashOfLink(token)
  const link = await findLink(db, hash, clock.now())
  if (!link) throw new CallError('link_not_valid')
  return { ...link, hash }
}

/** Reads what the page behind the link in a message to one person shows. */
export async function readLinked(deps: IncidentDeps, token: string): Promise<AnswerOf<typeof getLinkedIncident>> {
  const link = await requireLink(deps, token)
  const scope = scopeOf(callerOf(link))
  const row = await findIncident(deps.db, scope, link.incidentId)
  if (!row) throw new CallError('link_not_valid')
  const { id, title, acknowledged, ownerName, state } = toIncident(row, scope, deps.clock.now())
  const acknowledgedBy = acknowledged === null ? '' : ownerName || 'Somebody'
  return { id, title, name: link.name, acknowledgedBy, isOver: state !== 'active' }
}

/** Acknowledges in the name of the person who got the link, once. Only the button of its page does. */
export async function acknowledgeLinked(
  deps: IncidentDeps,
  token: string,
  change: ChangeRecord,
): Promise<Record<string, never>> {
  const link = await requireLink(deps, token)
  const caller = callerOf(link)
  change.about({ id: link.incidentId, details: 'By a link in a message.' }, caller)
  await acknowledge(
    deps,
    { id: link.incidentId, note: '' },
    { caller, change },
    async (transaction, { owner_id: ownerId, owner_name: ownerName, acknowledged_at: acknowledgedAt }) => {
      // When two people press at once, one owns the incident and the other reads who that is.
      if (acknowledgedAt !== null && ownerId !== link.userId)
        throw new CallError('incident_taken', `${ownerName || 'Somebody'} has acknowledged it already.`)
      if (!(await takeLink(transaction, link.hash, deps.clock.now()))) throw new CallError('link_not_valid')
    },
  ).catch((error: unknown) => {
    // The person may not see the incident any more, or not all of it.
    const isGone = error instanceof CallError && ['not_found', 'incident_not_whole'].includes(error.code)
    throw isGone ? new CallError('link_not_valid') : error
  })
  return {}
}
