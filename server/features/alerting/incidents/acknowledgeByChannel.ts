import type { Given } from '#server/features/feature.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { OpenPage, OpenPageRequest } from '#server/http/pages/openPages.ts'
import { INBOUND_ADAPTERS, type InboundEvent } from '#server/notifications/adapters/inboundAdapters.ts'
import {
  findListening,
  findNotifiedIncident,
  type ListeningChannel,
  noteEvent,
  noteNothing,
  takeEvent,
} from './channelInbound.store.ts'
import { acknowledgeAsChannel, type IncidentDeps } from './incidentChanges.ts'

type InboundDeps = IncidentDeps & Pick<Given, 'cipher'>

const BODY_BYTES = 256 * 1024
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The event was signed and complete, but changes nothing here. */
class NothingToDo extends Error {}

/**
 * Receives from another system that somebody there has acknowledged or resolved an incident. Either acknowledges it
 * here, in the channel's name. Unsigned requests are refused, and a repeated event has no further effect.
 */
export function inboundPage(deps: InboundDeps): OpenPage {
  const { db, clock, cipher } = deps
  return {
    path: '/inbound/:guid',
    name: 'Channel inbound',
    changes: { action: 'Update', entity: 'Incident' },
    largestBodyBytes: BODY_BYTES,
    run: async (request) => {
      const { guid = '' } = request.params
      const channel = GUID.test(guid) ? await findListening(db, cipher, guid) : undefined
      if (!channel) throw notFound()
      const event = eventOf(channel, request)
      request.change.about({ name: channel.name }, authorOf(channel))
      const said = await done(deps, { channel, event, change: request.change }).catch(async (error: unknown) => {
        const reason = reasonOf(error)
        if (reason === undefined) throw error
        await noteNothing(db, channel, request.change, { reason, now: clock.now() })
        return reason
      })
      return { status: 200, headers: JSON_HEADERS, body: JSON.stringify({ message: said }) }
    },
  }
}

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** The customer of an incident reads its audit rows, and must not learn the name of a staff channel. */
const authorOf = ({ id, name, customerId }: ListeningChannel) =>
  customerId === null ? { username: `Channel ${id} of staff` } : { username: `Channel ${name}`, customerId }

/** @throws CallError `forbidden` when the signature is not made with the channel's secret */
function eventOf({ kind, secret }: ListeningChannel, { headers, body }: OpenPageRequest): InboundEvent {
  const adapter = INBOUND_ADAPTERS[kind]
  if (!adapter.isSigned({ headers, body }, secret))
    throw new CallError('forbidden', 'The signature is not that of this channel, or too old.')
  const event = adapter.read({ headers, body })
  if (event === undefined || event.id === '')
    throw new CallError('invalid_request', 'body: is no event of this kind of channel.')
  return event
}

interface Heard {
  readonly channel: ListeningChannel
  readonly event: InboundEvent
  readonly change: ChangeRecord
}

async function done(deps: InboundDeps, { channel, event, change }: Heard): Promise<string> {
  if (event.action === 'nothing') throw new NothingToDo('Only what is acknowledged or resolved changes something here.')
  const id = await findNotifiedIncident(deps.db, channel.id, event.about)
  if (id === undefined) throw new NothingToDo('This channel was not notified of this incident.')
  const verb = event.action === 'acknowledged' ? 'Acknowledged' : 'Resolved'
  const text = `${verb} there${event.by === '' ? '' : ` by ${event.by}`}.`
  const now = deps.clock.now()
  await acknowledgeAsChannel(deps, { id, channel, text }, change, async (transaction, { acknowledged_at: takenAt }) => {
    if (!(await takeEvent(transaction, channel.id, event.id, now))) throw new NothingToDo('It was heard before.')
    if (takenAt !== null) throw new NothingToDo('It has already been acknowledged.')
    await noteEvent(transaction, channel.id, text, now)
  })
  return text
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof NothingToDo) return error.message
  if (!(error instanceof CallError)) return undefined
  if (error.code === 'incident_not_whole') return 'The incident reaches beyond the customer of this channel.'
  return error.code === 'not_found' ? 'The incident is not there any more.' : undefined
}
