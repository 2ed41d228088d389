import type { ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import {
  deleteNotifyRoute,
  listNotifyRoutes,
  type NotifyRoute,
  previewNotifyRoute,
  setNotifyRoute,
} from '#contract/http/alerting/notificationRoutes.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { ownerWithin } from '#server/http/call/scopeSql.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import { READERS_NAME, type RouteStep } from '#server/notifications/judgedRows.ts'
import {
  addRoute,
  changeRoute,
  countActive,
  countMailReaders,
  findRoute,
  type ListedRoute,
  type Named,
  notifyOfActive,
  readListedRoutes,
  readNamed,
  removeRoute,
  type WrittenRoute,
} from './notificationRoutes.store.ts'
import { addOwn, changeOwn } from './ownChange.store.ts'

type Request = ReadBodyOf<typeof setNotifyRoute>
type Step = Request['steps'][number]

type RouteDeps = Pick<Given, 'db'>

interface Targets {
  readonly channels: ReadonlyMap<number, Named>
  readonly schedules: ReadonlyMap<number, Named>
}

const DEFAULT_STAYS = 'id: The default route cannot be deleted. Switch it off instead.'

/** Manages which incidents notify whom. A route must not name people or channels of another customer. */
export const notificationRoutesFeature = (deps: RouteDeps) => ({
  routes: [
    route(listNotifyRoutes, ({ caller }) => list(deps, caller)),
    route(previewNotifyRoute, ({ query, caller }) => preview(deps, query, caller)),
    route(setNotifyRoute, ({ body, caller, change }) => {
      change.about({ name: body.name })
      return body.id > 0 ? edited(deps, body, caller, change) : added(deps, body, caller, change)
    }),
    route(deleteNotifyRoute, ({ body: { id }, caller, change }) =>
      changeOwn(deps.db, { id, caller, change }, findRoute, async (transaction, before) => {
        if (before.isDefault) throw new CallError('invalid_request', DEFAULT_STAYS)
        await removeRoute(transaction, id)
        return { answer: {}, before: writtenOf(before) }
      }),
    ),
  ],
})

async function list({ db }: RouteDeps, caller: Caller): Promise<NotifyRoute[]> {
  const scope = scopeOf(caller)
  const [rows, targets, readers] = await Promise.all([
    readListedRoutes(db, scope, { withDefault: true }),
    readAllTargets(db),
    countMailReaders(db, scope),
  ])
  return rows.map((row) => toRoute(row, { targets, readers, scope }))
}

const readAllTargets = async (db: Given['db']): Promise<Targets> => ({
  channels: await readNamed(db, 'channel'),
  schedules: await readNamed(db, 'rota'),
})

const added = ({ db }: RouteDeps, asked: Request, caller: Caller, change: ChangeRecord): Promise<number> =>
  addOwn(db, { customerId: asked.customerId, caller, change }, async (transaction, customerId) => {
    const written = await checked(asked, { customerId, caller }, transaction)
    const id = await addRoute(transaction, written, { customerId, tagKey: keyOf(written), by: caller.userId })
    const details = await activeNotified(transaction, asked, { ...written, id, customerId })
    return { answer: id, id, name: asked.name, after: written, ...details }
  })

const edited = ({ db }: RouteDeps, asked: Request, caller: Caller, change: ChangeRecord): Promise<number> =>
  changeOwn(db, { id: asked.id, caller, change }, findRoute, async (transaction, before) => {
    const { id, customerId } = before
    const written = await checked(asked, { customerId, caller }, transaction)
    await changeRoute(transaction, id, written, keyOf(written))
    const details = await activeNotified(transaction, asked, { ...written, id, customerId })
    return { answer: id, name: asked.name, before: writtenOf(before), after: written, ...details }
  })

/** @throws CallError for a route that names what its customer may not see */
async function checked(
  asked: Request,
  { customerId, caller }: { readonly customerId: CustomerId | null; readonly caller: Caller },
  transaction: Tx,
): Promise<WrittenRoute> {
  const { ofCustomerId } = asked
  if (customerId !== null && ofCustomerId !== null && ofCustomerId !== customerId) throw notFound()
  if (ofCustomerId !== null) await requireCustomer(transaction, ofCustomerId, scopeOf(caller))
  const written = { ...writtenOf(asked), ofCustomerId: customerId === null ? ofCustomerId : null }
  checkSteps(written.steps, customerId, await readAllTargets(transaction))
  return written
}

const keyOf = ({ tag }: Pick<WrittenRoute, 'tag'>) => (tag === '' ? '' : tagKey(tag))

/** Notifies about incidents that are active now, where the request asks for it. */
async function activeNotified(
  transaction: Tx,
  { tellsActive }: Request,
  route: WrittenRoute & Pick<ListedRoute, 'id' | 'customerId'>,
) {
  if (!tellsActive) return undefined
  const { id, customerId, ofCustomerId, severityId, isOn } = route
  const of = { id, shareId: customerId ?? ofCustomerId ?? OF_ALL, severityId, tagKey: keyOf(route) }
  const count = isOn ? await notifyOfActive(transaction, of) : 0
  return { details: `Active incidents that it notifies about now: ${count}` }
}

async function preview({ db }: RouteDeps, asked: ReadQueryOf<typeof previewNotifyRoute>, caller: Caller) {
  const scope = scopeOf(caller)
  const { id, severityId } = asked
  const customerId =
    id > 0 ? (await foundRow(findRoute(db, scope, id))).customerId : ownerWithin(scope, asked.customerId ?? null)
  const ofCustomerId = customerId ?? asked.ofCustomerId ?? null
  if (ofCustomerId !== null) await requireCustomer(db, ofCustomerId, scope)
  const of = { id, shareId: ofCustomerId ?? OF_ALL, severityId, tagKey: keyOf(asked) }
  return { activeIncidents: await countActive(db, of) }
}

const writtenOf = ({
  name,
  isOn,
  severityId,
  ofCustomerId,
  tag,
  hours,
  steps,
}: Request | ListedRoute): WrittenRoute => ({
  name,
  isOn,
  severityId,
  ofCustomerId,
  tag,
  hours,
  steps: steps.map(toStep).toSorted((one, other) => one.afterMinutes - other.afterMinutes),
})

function toStep(step: Step | RouteStep): RouteStep {
  const { afterMinutes, channelId, rotaId, readers } = step as Step
  if ([channelId, rotaId, readers].filter((named) => named !== undefined).length !== 1)
    throw new CallError(
      'invalid_request',
      'steps: Each step names one of a channel, an on-call schedule or the readers of e-mails.',
    )
  if (readers) return { afterMinutes, readers }
  return channelId === undefined ? { afterMinutes, rotaId: rotaId ?? 0 } : { afterMinutes, channelId }
}

function namedBy(step: RouteStep, { channels, schedules }: Targets): Named | undefined {
  if ('readers' in step) return { id: 0, name: READERS_NAME, customerId: null }
  return 'channelId' in step ? channels.get(step.channelId) : schedules.get(step.rotaId)
}

/**
 * Refuses a customer's route that names anything else than their own; readers of alert mails do not belong to them. A
 * route of staff may name whatever staff may see.
 */
function checkSteps(steps: readonly RouteStep[], customerId: CustomerId | null, targets: Targets): void {
  for (const step of steps) {
    const named = namedBy(step, targets)
    if (named === undefined || (customerId !== null && named.customerId !== customerId)) throw notFound()
  }
}

interface Seen {
  readonly targets: Targets
  readonly readers: ReadonlyMap<number, number>
  readonly scope: Scope
}

function toRoute(
  { customerName, ofCustomerName, hours, steps, ...rest }: ListedRoute,
  { targets, readers, scope }: Seen,
): NotifyRoute {
  const { customerId, ofCustomerId } = rest
  const mayChange = scope.kind === 'everything' || customerId === scope.customerId
  const readerCount = sum([...readers].filter(([of]) => ofCustomerId === null || of === 0 || of === ofCustomerId))
  return {
    ...rest,
    customerName: customerName ?? '',
    ofCustomerName: ofCustomerName ?? '',
    hours: hours && { ...hours, weekdays: [...hours.weekdays] },
    steps: steps
      // Whom staff notify beside them is no business of a customer.
      .filter((step) => mayChange || 'readers' in step)
      .map((step) => ({
        ...step,
        targetName: namedBy(step, targets)?.name ?? '',
        ...('readers' in step && { readerCount }),
      })),
    mayChange,
  }
}

const sum = (counts: readonly (readonly [number, number])[]) => counts.reduce((all, [, count]) => all + count, 0)
