import type { AnswerOf } from '#contract/call/call.ts'
import type { getLinkedIncident } from '#contract/http/alerting/incidentNotices.ts'
import { CallError } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { hashOfLink } from '#server/notifications/acknowledgeLinks.ts'
import type { AcknowledgeLinkStore, FoundLink } from './acknowledgeLinks.store.ts'
import { toIncident } from './incidentRows.store.ts'
import type { Incidents } from './incidents.service.ts'
import type { IncidentStore } from './incidents.store.ts'

export interface AcknowledgeByLinkDeps extends Pick<IncidentStore, 'find'>, Pick<Incidents, 'acknowledge'> {
  readonly links: AcknowledgeLinkStore
  readonly now: () => Date
}

export type AcknowledgeLinks = ReturnType<typeof createAcknowledgeByLink>

/** A link in a message to one person: to open it changes nothing, its button acknowledges as that person, once. */
export function createAcknowledgeByLink({ links, now, find, acknowledge }: AcknowledgeByLinkDeps) {
  async function linkOf(token: string): Promise<FoundLink & { readonly hash: Buffer }> {
    const hash = hashOfLink(token)
    const link = await links.find(hash, now())
    if (!link) throw new CallError('link_not_valid')
    return { ...link, hash }
  }

  const callerOf = ({ userId, username, customerId }: FoundLink) => ({
    userId,
    username,
    ...(customerId !== null && { customerId }),
  })

  return {
    find: async (token: string): Promise<AnswerOf<typeof getLinkedIncident>> => {
      const link = await linkOf(token)
      const scope = scopeOf(callerOf(link))
      const row = await find(scope, link.incidentId)
      if (!row) throw new CallError('link_not_valid')
      const incident = toIncident(row, scope, now())
      const { id, title, acknowledged, ownerName, state } = incident
      const acknowledgedBy = acknowledged === null ? '' : ownerName || 'Somebody'
      return { id, title, name: link.name, acknowledgedBy, isOver: state !== 'active' }
    },

    acknowledge: async (token: string, change: ChangeRecord): Promise<Record<string, never>> => {
      const link = await linkOf(token)
      const caller = callerOf(link)
      change.about({ id: link.incidentId, details: 'By a link in a message.' }, caller)
      await acknowledge(
        { id: link.incidentId, note: '' },
        caller,
        change,
        async (transaction, { owner_id: ownerId, owner_name: ownerName, acknowledged_at: taken }) => {
          // Of two who press at once one has it, and the other reads who that is.
          if (taken !== null && ownerId !== link.userId)
            throw new CallError('incident_taken', `${ownerName || 'Somebody'} has acknowledged it already.`)
          if (!(await links.take(transaction, link.hash, now()))) throw new CallError('link_not_valid')
        },
      ).catch((error: unknown) => {
        // What the link was about is not theirs any more, or not as a whole.
        const isGone = error instanceof CallError && ['not_found', 'incident_not_whole'].includes(error.code)
        throw isGone ? new CallError('link_not_valid') : error
      })
      return {}
    },
  }
}
