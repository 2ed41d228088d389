import { watch } from '#contract/http/live.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { type Route, streamRoute } from '#server/http/call/route.ts'
import type { LiveHub } from './LiveHub.ts'
import type { OverviewPublisher, WatchedOverview } from './OverviewPublisher.ts'

export interface LiveRouteDeps {
  readonly hub: LiveHub
  readonly overview: OverviewPublisher
  visibleDevices(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly DeviceId[]>
  /** Reads the same session with its current rights; undefined when it ended. */
  reauthenticate(caller: Caller): Promise<Caller | undefined>
}

export function liveRoutes({ hub, overview, visibleDevices, reauthenticate }: LiveRouteDeps): readonly Route[] {
  return [
    streamRoute(watch, async ({ body, caller, stream }) => {
      const asked = [...new Set([...body.deviceIds, ...body.stateDeviceIds])]
      const scope = scopeOf(caller)
      const visible = new Set(await visibleDevices(scope, asked))
      // Readings require the right to open devices; analysts too may read lists.
      const mayReadStates = isAllowed('seeDevices', caller)
      const overviews = mayReadStates ? visibleOverviews(body.overviews ?? [], scope) : []
      for (const watched of overviews) stream.onClose(overview.watch(watched, stream))
      hub.open({
        stream,
        scope,
        deviceIds: new Set(body.deviceIds.filter((id) => visible.has(id))),
        stateDeviceIds: new Set(mayReadStates ? body.stateDeviceIds.filter((id) => visible.has(id)) : []),
        async isStillAllowed() {
          const now = await reauthenticate(caller)
          if (now === undefined || rightsOf(now) !== rightsOf(caller)) return false
          // A device may have moved to another customer. Staff see every customer's.
          if (scope.kind === 'everything') return true
          return (await visibleDevices(scope, [...visible])).length === visible.size
        },
      })
    }),
  ]
}

/** @throws CallError `not_found` for a customer other than the caller's own */
function visibleOverviews(customers: readonly (CustomerId | -1)[], scope: Scope): readonly WatchedOverview[] {
  return [...new Set(customers)].flatMap((customerId) => {
    if (customerId === -1) return [{ customerId, scope }]
    if (scope.kind === 'customer' && scope.customerId !== customerId) throw notFound()
    return [{ customerId, scope: { kind: 'customer', customerId } as const }]
  })
}

/** The stream ends when this text changes, and the console opens the next one. */
function rightsOf({ functions, customerId }: Caller): string {
  return JSON.stringify([[...functions].sort(), customerId ?? null])
}
