import { randomBytes, randomUUID } from 'node:crypto'
import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import type { rotateSigningKey, setChannel, setInbound } from '#contract/http/alerting/channels.ts'
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
import type { Given } from '#server/features/feature.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { refuseSecretMove } from '#server/http/call/secretMove.ts'
import type { SigningKey } from '#server/notifications/channelRows.ts'
import {
  addChannel,
  changeChannel,
  lockChannel,
  type SecretChannel,
  type WrittenChannel,
  writeInbound,
  writeSecrets,
} from './channels.store.ts'
import { addOwn, changeOwn } from './ownChange.store.ts'
import { askRecipient } from './recipients.store.ts'

export type ChannelDeps = Pick<Given, 'db' | 'clock' | 'notifyOutside' | 'addresses' | 'cipher'>

type Request = ReadBodyOf<typeof setChannel>
type Answer = AnswerOf<typeof setChannel>

/** A webhook signs with the old key as well for so long, so that its receiver can change over. */
const OLD_KEY_MS = DAY_MS
const KEY_BYTES = 32

const newKey = (): SigningKey => ({ key: `whsec_${randomBytes(KEY_BYTES).toString('base64')}`, until: null })

export const inboundAddress = ({ addresses }: ChannelDeps, guid: string) => `${addresses().httpUrl}/inbound/${guid}`

/** Changes one channel, which stays locked until its audit row is written. */
export const changeChannelOf = <Result>(
  { db, cipher }: ChannelDeps,
  about: Parameters<typeof changeOwn>[1],
  work: Parameters<typeof changeOwn<SecretChannel, Result>>[3],
) => changeOwn(db, about, (...one) => lockChannel(cipher, ...one), work)

export const added = (
  { db, cipher, clock }: ChannelDeps,
  asked: Request,
  caller: Caller,
  change: ChangeRecord,
): Promise<Answer> =>
  addOwn(db, { customerId: asked.customerId, caller, change }, async (transaction, customerId) => {
    const { name, kind, secret = '' } = asked
    refuse(asked, secret)
    const signing = kind === 'webhook' ? [newKey()] : []
    const written = writtenOf(asked)
    const id = await addChannel(transaction, { ...written, kind, customerId }, caller.userId)
    await writeSecrets(cipher, transaction, { id, kind }, { secret, signing })
    const { settings } = written
    if (kind === 'mail') await askRecipient(transaction, { id, customer_id: customerId, settings }, clock.now())
    return { answer: { id, signingKey: signing[0]?.key ?? null }, id, name, after: { kind, ...auditedOf(written) } }
  })

export const edited = (deps: ChannelDeps, asked: Request, caller: Caller, change: ChangeRecord): Promise<Answer> =>
  changeChannelOf(deps, { id: asked.id, caller, change }, async (transaction, before) => {
    const { id, kind } = before
    if (asked.kind !== kind)
      throw new CallError('invalid_request', 'kind: A channel stays of its kind; set up another one.')
    refuse(asked, asked.secret)
    const move = moveOf(before, asked)
    refuseSecretMove(move, caller)
    // The old receiver knows the old key, which must prove nothing to the new receiver, and the other way round.
    const signing = kind === 'webhook' && move.from !== move.to ? [newKey()] : undefined
    const written = writtenOf(asked)
    const { settings } = written
    await changeChannel(transaction, id, written)
    await writeSecrets(deps.cipher, transaction, before, { secret: asked.secret, signing })
    if (kind === 'mail' && before.settings.recipient !== settings.recipient)
      await askRecipient(transaction, { ...before, settings }, deps.clock.now())
    return {
      answer: { id, signingKey: signing?.[0]?.key ?? null },
      name: asked.name,
      before: auditedOf({ ...before, mostPerHour: before.most_per_hour, isOn: before.is_on }),
      after: {
        ...auditedOf(written),
        ...(asked.secret !== undefined && { secret: 'replaced' }),
        ...(signing && { signingKey: 'replaced' }),
      },
    }
  })

export const replaceSigningKey = (
  deps: ChannelDeps,
  id: number,
  caller: Caller,
  change: ChangeRecord,
): Promise<AnswerOf<typeof rotateSigningKey>> =>
  changeChannelOf(deps, { id, caller, change }, async (transaction, { kind, signing: [current] }) => {
    if (kind !== 'webhook') throw new CallError('invalid_request', 'id: Only a webhook signs what it sends.')
    const oldKeyUntil = new Date(deps.clock.now().getTime() + OLD_KEY_MS).toISOString()
    const fresh = newKey()
    const kept = current ? [{ ...current, until: oldKeyUntil }] : []
    await writeSecrets(deps.cipher, transaction, { id, kind }, { secret: undefined, signing: [fresh, ...kept] })
    return { answer: { signingKey: fresh.key, oldKeyUntil }, after: { signingKey: 'replaced' } }
  })

/** Begins or ends accepting events of the other system. A channel that begins again gets another address. */
export const changeInbound = (
  deps: ChannelDeps,
  { id, isOn, secret }: ReadBodyOf<typeof setInbound>,
  caller: Caller,
  change: ChangeRecord,
): Promise<AnswerOf<typeof setInbound>> =>
  changeChannelOf(deps, { id, caller, change }, async (transaction, { kind }) => {
    const guid = randomUUID()
    const inbound = isOn ? { guid, secret: inboundSecretOf(kind, secret) } : undefined
    await writeInbound(deps.cipher, transaction, id, inbound)
    const isOurs = isInboundKind(kind) && INBOUND_SECRETS[kind] === 'ours'
    return {
      answer: {
        address: inbound ? inboundAddress(deps, guid) : '',
        signingKey: inbound && isOurs ? inbound.secret : null,
      },
      after: { isHeard: isOn, ...(isOn && { address: 'replaced' }) },
    }
  })

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
