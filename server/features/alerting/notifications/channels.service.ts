import { randomBytes, randomUUID } from 'node:crypto'
import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import type {
  Channel,
  listDeliveries,
  replayDelivery,
  rotateSigningKey,
  setChannel,
  setInbound,
  testChannel,
} from '#contract/http/alerting/channels.ts'
import {
  type ChannelKind,
  channelDestination,
  channelFault,
  INBOUND_SECRETS,
  isInboundKind,
  KINDS,
  SHORTEST_INBOUND_SECRET,
} from '#domain/notifications/channelKinds.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { refuseSecretMove } from '#server/http/call/secretMove.ts'
import { awaitsRecipient, type SigningKey } from '#server/notifications/channelRows.ts'
import type { TellOutside } from '#server/notifications/notifyOutside.ts'
import type { ChannelStore, ListedChannel, SecretChannel, WrittenChannel } from './channels.store.ts'

/** A webhook signs with the old key as well for so long, so that its receiver can change over. */
const OLD_KEY_MS = DAY_MS
const KEY_BYTES = 32
/** All channels of one customer, or of staff, share this limit. */
const MOST_TESTS_PER_MINUTE = 20

type Request = ReadBodyOf<typeof setChannel>
type Statements = ChannelStore['statements']

export interface ChannelsDeps {
  readonly store: ChannelStore
  readonly tellOutside: TellOutside
  readonly now: () => Date
  readonly publicUrl: () => string
}

export type Channels = ReturnType<typeof createChannels>

const newKey = (): SigningKey => ({ key: `whsec_${randomBytes(KEY_BYTES).toString('base64')}`, until: null })

export function createChannels({ store, tellOutside, now, publicUrl }: ChannelsDeps) {
  const addressOf = (guid: string) => `${publicUrl()}/inbound/${guid}`

  async function own(statements: Statements, id: number, caller: Caller, change: ChangeRecord): Promise<SecretChannel> {
    change.about({ id })
    const channel = await store.lock(statements, scopeOf(caller), id)
    if (!channel) throw notFound()
    change.about({ name: channel.name })
    return channel
  }

  async function added(asked: Request, caller: Caller, change: ChangeRecord, [statements, tx]: [Statements, Tx]) {
    const { kind, secret = '' } = asked
    const customerId = ownerOf(asked, scopeOf(caller))
    if (customerId !== null && !(await store.hasCustomer(customerId, tx))) throw notFound()
    refuse(asked, secret)
    const signing = kind === 'webhook' ? [newKey()] : []
    const written = writtenOf(asked)
    const id = await store.add(statements, { ...written, kind, customerId }, caller.userId)
    await store.writeSecrets(statements, { id, kind }, { secret, signing })
    if (kind === 'mail')
      await store.askRecipient(statements, { id, customer_id: customerId, settings: written.settings }, now())
    const after = { kind, ...auditedOf(written) }
    await change.done(tx, { id, name: asked.name, customerId, isNew: true, after })
    return { id, signingKey: signing[0]?.key ?? null }
  }

  async function changed(asked: Request, caller: Caller, change: ChangeRecord, [statements, tx]: [Statements, Tx]) {
    const before = await own(statements, asked.id, caller, change)
    if (asked.kind !== before.kind)
      throw new CallError('invalid_request', 'kind: A channel stays of its kind; set up another one.')
    refuse(asked, asked.secret)
    const move = moveOf(before, asked)
    refuseSecretMove(move, caller)
    // The old receiver knows the old key, which must prove nothing to the new receiver, and the other way round.
    const signing = before.kind === 'webhook' && move.from !== move.to ? [newKey()] : undefined
    const written = writtenOf(asked)
    await store.change(statements, before.id, written)
    await store.writeSecrets(statements, before, { secret: asked.secret, signing })
    const hasOtherRecipient = before.settings.recipient !== written.settings.recipient
    if (before.kind === 'mail' && hasOtherRecipient)
      await store.askRecipient(statements, { ...before, settings: written.settings }, now())
    const was = { name: before.name, settings: before.settings, mostPerHour: before.most_per_hour, quiet: before.quiet }
    await change.done(tx, {
      id: before.id,
      name: asked.name,
      customerId: before.customer_id,
      before: auditedOf({ ...was, isOn: before.is_on }),
      after: {
        ...auditedOf(written),
        ...(asked.secret !== undefined && { secret: 'replaced' }),
        ...(signing && { signingKey: 'replaced' }),
      },
    })
    return { id: before.id, signingKey: signing?.[0]?.key ?? null }
  }

  return {
    list: async (caller: Caller): Promise<Channel[]> =>
      (await store.list(store.statements, scopeOf(caller))).map((row) => toChannel(row, now(), addressOf)),

    set: (asked: Request, caller: Caller, change: ChangeRecord): Promise<AnswerOf<typeof setChannel>> => {
      change.about({ name: asked.name, ...(asked.id > 0 && { id: asked.id }) })
      return store.transaction((statements, tx) =>
        (asked.id > 0 ? changed : added)(asked, caller, change, [statements, tx]),
      )
    },

    remove: (id: number, caller: Caller, change: ChangeRecord): Promise<Record<string, never>> =>
      store.transaction(async (statements, tx) => {
        const { name, customer_id: customerId } = await own(statements, id, caller, change)
        await store.remove(statements, id)
        await change.done(tx, { id, name, customerId })
        return {}
      }),

    rotate: (id: number, caller: Caller, change: ChangeRecord): Promise<AnswerOf<typeof rotateSigningKey>> =>
      store.transaction(async (statements, tx) => {
        const { name, kind, signing, customer_id: customerId } = await own(statements, id, caller, change)
        if (kind !== 'webhook') throw new CallError('invalid_request', 'id: Only a webhook signs what it sends.')
        const oldKeyUntil = new Date(now().getTime() + OLD_KEY_MS).toISOString()
        const fresh = newKey()
        const [current] = signing
        const kept = current ? [{ ...current, until: oldKeyUntil }] : []
        await store.writeSecrets(statements, { id, kind }, { secret: undefined, signing: [fresh, ...kept] })
        await change.done(tx, { id, name, customerId, after: { signingKey: 'replaced' } })
        return { signingKey: fresh.key, oldKeyUntil }
      }),

    setInbound: (
      { id, isOn, secret }: ReadBodyOf<typeof setInbound>,
      caller: Caller,
      change: ChangeRecord,
    ): Promise<AnswerOf<typeof setInbound>> =>
      store.transaction(async (statements, tx) => {
        const { name, kind, customer_id: customerId } = await own(statements, id, caller, change)
        const guid = randomUUID()
        const inbound = isOn ? { guid, secret: inboundSecretOf(kind, secret) } : undefined
        await store.setInbound(statements, id, inbound)
        await change.done(tx, { id, name, customerId, after: { isHeard: isOn, ...(isOn && { address: 'replaced' }) } })
        const isOurs = isInboundKind(kind) && INBOUND_SECRETS[kind] === 'ours'
        return {
          address: inbound ? addressOf(guid) : '',
          signingKey: inbound && isOurs ? inbound.secret : null,
        }
      }),

    /** No transaction is held during the test; the audit row is written before, whatever the outcome. */
    test: async (id: number, caller: Caller, change: ChangeRecord): Promise<AnswerOf<typeof testChannel>> => {
      const at = now()
      const channel = await store.transaction(async (statements, tx) => {
        const found = await own(statements, id, caller, change)
        if ((await store.countTests(statements, found.customer_id, at)) >= MOST_TESTS_PER_MINUTE)
          throw new CallError('too_many_requests')
        await change.done(tx, { id, name: found.name, customerId: found.customer_id, details: 'Test' })
        if (awaitsRecipient(found)) await store.askRecipient(statements, found, at)
        return found
      })
      const beganMs = performance.now()
      const told = await tellOutside(channel, { what: 'test', key: randomUUID(), channelName: channel.name }, at)
      const tookMs = Math.round(performance.now() - beganMs)
      await store.noteTest(store.statements, { channelId: id, told, at, tookMs })
      const { outcome, status, answer } = told
      const reason = 'reason' in outcome ? outcome.reason : ''
      return { isTaken: outcome.is === 'done', status: status ?? null, answer, reason, tookMs }
    },

    deliveries: async (id: number, caller: Caller): Promise<AnswerOf<typeof listDeliveries>> => {
      const [found] = await store.list(store.statements, scopeOf(caller), id)
      if (!found) throw notFound()
      return store.deliveries(store.statements, id)
    },

    replay: (
      { id, incidentId }: ReadBodyOf<typeof replayDelivery>,
      caller: Caller,
      change: ChangeRecord,
    ): Promise<Record<string, never>> =>
      store.transaction(async (statements, tx) => {
        const { name, customer_id: customerId } = await own(statements, id, caller, change)
        if (!(await store.replay(statements, id, incidentId))) throw notFound()
        await change.done(tx, { id, name, customerId, details: `Incident ${incidentId} sent again` })
        return {}
      }),
  }
}

/** @throws CallError when this kind accepts no events, or needs a secret that is missing or too short */
function inboundSecretOf(kind: ChannelKind, given: string | undefined): string {
  if (!isInboundKind(kind))
    throw new CallError('invalid_request', `id: ${KINDS[kind].label} signs nothing by which it could be known.`)
  if (INBOUND_SECRETS[kind] === 'ours') return newKey().key
  if (given === undefined || given === '')
    throw new CallError('invalid_request', `secret: is the one that ${KINDS[kind].label} signs by.`)
  if (given.length < SHORTEST_INBOUND_SECRET)
    throw new CallError('invalid_request', `secret: must have at least ${SHORTEST_INBOUND_SECRET} characters.`)
  return given
}

/** @throws CallError `not_found` for a customer that the caller may not see */
function ownerOf({ customerId }: Request, scope: Scope) {
  if (scope.kind === 'everything') return customerId
  if (customerId !== null && customerId !== scope.customerId) throw notFound()
  return scope.customerId
}

function refuse({ kind, settings }: Request, secret: string | undefined): void {
  const fault = channelFault(kind, settings, secret)
  if (fault) throw new CallError('invalid_request', `${fault.field}: ${fault.says}.`)
}

const moveOf = ({ kind, settings, secret, isUnreadable }: SecretChannel, asked: Request) => ({
  from: channelDestination(kind, settings, secret),
  to: channelDestination(kind, asked.settings, asked.secret ?? secret),
  kept: secret === '' && !isUnreadable ? [] : ['secret'],
  given: asked.secret === undefined ? [] : ['secret'],
})

const writtenOf = ({ name, settings, mostPerHour, quiet, isOn }: Request): WrittenChannel => ({
  name,
  settings,
  mostPerHour,
  quiet,
  isOn,
})

const auditedOf = ({ name, settings, mostPerHour, quiet, isOn }: WrittenChannel) => ({
  name,
  settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '')),
  mostPerHour,
  quiet,
  isOn,
})

function toChannel(row: ListedChannel, now: Date, addressOf: (guid: string) => string): Channel {
  const { customerName, oldKeyUntil, lastAt, restsUntil, inboundGuid, inboundAt, inboundText, ...rest } = row
  return {
    ...rest,
    customerName: customerName ?? '',
    oldKeyUntil: oldKeyUntil !== null && new Date(oldKeyUntil) > now ? oldKeyUntil : null,
    inbound:
      inboundGuid === null
        ? null
        : { address: addressOf(inboundGuid), at: inboundAt?.toISOString() ?? null, text: inboundText },
    lastAt: lastAt?.toISOString() ?? null,
    restsUntil: restsUntil && restsUntil > now ? restsUntil.toISOString() : null,
  }
}
