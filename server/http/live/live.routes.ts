import { watch } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { type Caller, type Scope, scopeOf } from '../caller.ts'
import { type Route, streamRoute } from '../route.ts'
import type { LiveHub } from './hub.ts'

export interface LiveRouteNeeds {
  readonly hub: LiveHub
  /** Which of these devices exist within the scope. */
  visibleDevices(scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly DeviceId[]>
  /** The same session with the rights of now; undefined when it ended. */
  reauthenticate(caller: Caller): Promise<Caller | undefined>
}

export function liveRoutes({ hub, visibleDevices, reauthenticate }: LiveRouteNeeds): readonly Route[] {
  return [
    streamRoute(watch, async ({ body, caller, stream }) => {
      const asked = [...new Set([...body.deviceIds, ...body.stateDeviceIds])]
      const visible = new Set(await visibleDevices(scopeOf(caller), asked))
      // Readings are for those who may open the device; lists are for analysts too.
      const mayReadStates = isAllowed('deviceManager', caller)
      hub.open({
        stream,
        scope: scopeOf(caller),
        deviceIds: new Set(body.deviceIds.filter((id) => visible.has(id))),
        stateDeviceIds: new Set(mayReadStates ? body.stateDeviceIds.filter((id) => visible.has(id)) : []),
        async isStillAllowed() {
          const now = await reauthenticate(caller)
          return now !== undefined && rightsOf(now) === rightsOf(caller)
        },
      })
    }),
  ]
}

/** What decides which events somebody hears; a stream ends when it changes, and the console opens the next one. */
function rightsOf({ functions, customerId }: Caller): string {
  return JSON.stringify([[...functions].sort(), customerId ?? null])
}
