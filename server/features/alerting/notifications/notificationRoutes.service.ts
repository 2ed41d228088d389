import type { ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import type { NotifyRoute, previewNotifyRoute, setNotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import { READERS_NAME, type RouteStep } from '#server/notifications/judgedRows.ts'
import {
  addRoute,
  changeRoute,
  countActive,
  deleteRoute,
  hasCustomer,
  type ListedRoute,
  type Named,
  readListedRoutes,
  readNamed,
  tellActive,
  type WrittenRoute,
} from './notificationRoutes.store.ts'
import type { RoutingStore } from './routing.store.ts'

type Request = ReadBodyOf<typeof setNotifyRoute>
type Step = Request['steps'][number]

interface Targets {
  readonly channels: ReadonlyMap<number, Named>
  readonly rotas: ReadonlyMap<number, Named>
}

export type NotifyRoutes = ReturnType<typeof createNotifyRoutes>

/** Manages which incidents notify whom. A route must not name people or channels of another customer. */
export function createNotifyRoutes(store: RoutingStore) {
  const targetsOf = async (statements: RoutingStore['statements']): Promise<Targets> => ({
    channels: await readNamed(statements, 'channel'),
    rotas: await readNamed(statements, 'rota'),
  })

  return {
    list: async (caller: Caller): Promise<NotifyRoute[]> => {
      const [rows, targets] = await Promise.all([
        readListedRoutes(store.statements, scopeOf(caller)),
        targetsOf(store.statements),
      ])
      return rows.map((row) => toRoute(row, targets))
    },

    set: (asked: Request, caller: Caller, change: ChangeRecord): Promise<number> => {
      const { id, ofCustomerId } = asked
      const scope = scopeOf(caller)
      change.about({ name: asked.name, ...(id > 0 && { id }) })
      return store.transaction(async (statements, tx) => {
        const [before] = id > 0 ? await readListedRoutes(statements, scope, id) : []
        if (id > 0 && !before) throw notFound()
        const customerId = before ? before.customerId : ownerOf(asked, scope)
        if (customerId !== null && ofCustomerId !== null && ofCustomerId !== customerId) throw notFound()
        for (const named of [customerId, ofCustomerId])
          if (named !== null && !(await hasCustomer(statements, named))) throw notFound()
        const written = { ...writtenOf(asked), ofCustomerId: customerId === null ? ofCustomerId : null }
        checkSteps(written.steps, customerId, await targetsOf(statements))
        const key = written.tag === '' ? '' : tagKey(written.tag)
        const made = { customerId, tagKey: key, by: caller.userId }
        const changedId = before?.id ?? (await addRoute(statements, written, made))
        if (before) await changeRoute(statements, before.id, written, key)
        const told = {
          id: changedId,
          shareId: customerId ?? written.ofCustomerId ?? OF_ALL,
          severityId: written.severityId,
        }
        const active = asked.tellsActive && written.isOn ? await tellActive(statements, { ...told, tagKey: key }) : 0
        await change.done(tx, {
          id: changedId,
          name: asked.name,
          customerId,
          isNew: before === undefined,
          ...(before && { before: writtenOf(before) }),
          after: written,
          ...(asked.tellsActive && { details: `Active incidents that it notifies about now: ${active}` }),
        })
        return changedId
      })
    },

    preview: async (asked: ReadQueryOf<typeof previewNotifyRoute>, caller: Caller) => {
      const scope = scopeOf(caller)
      const { statements } = store
      const [before] = asked.id > 0 ? await readListedRoutes(statements, scope, asked.id) : []
      if (asked.id > 0 && !before) throw notFound()
      const customerId = before ? before.customerId : ownerOf({ customerId: asked.customerId ?? null }, scope)
      const shareId = customerId ?? asked.ofCustomerId ?? OF_ALL
      if (shareId !== OF_ALL && !(await hasCustomer(statements, shareId as CustomerId))) throw notFound()
      const { id, severityId, tag } = asked
      const tagged = tag === '' ? '' : tagKey(tag)
      return { activeIncidents: await countActive(statements, { id, shareId, severityId, tagKey: tagged }) }
    },

    remove: (id: number, caller: Caller, change: ChangeRecord): Promise<Record<string, never>> => {
      change.about({ id })
      return store.transaction(async (statements, tx) => {
        const [before] = await readListedRoutes(statements, scopeOf(caller), id)
        if (!before) throw notFound()
        await deleteRoute(statements, id)
        await change.done(tx, { id, name: before.name, customerId: before.customerId, before: writtenOf(before) })
        return {}
      })
    },
  }
}

/** @throws CallError `not_found` for a customer that the caller may not see */
export function ownerOf({ customerId }: { readonly customerId: CustomerId | null }, scope: Scope): CustomerId | null {
  if (scope.kind === 'everything') return customerId
  if (customerId !== null && customerId !== scope.customerId) throw notFound()
  return scope.customerId
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

function namedBy(step: RouteStep, { channels, rotas }: Targets): Named | undefined {
  if ('readers' in step) return { id: 0, name: READERS_NAME, customerId: null }
  return 'channelId' in step ? channels.get(step.channelId) : rotas.get(step.rotaId)
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

function toRoute({ customerName, ofCustomerName, hours, steps, ...rest }: ListedRoute, targets: Targets): NotifyRoute {
  return {
    ...rest,
    customerName: customerName ?? '',
    ofCustomerName: ofCustomerName ?? '',
    hours: hours && { ...hours, weekdays: [...hours.weekdays] },
    steps: steps.map((step) => ({ ...step, targetName: namedBy(step, targets)?.name ?? '' })),
  }
}
