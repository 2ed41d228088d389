import type { DeviceId } from '#domain/ids.ts'
import type { Route } from '#server/http/call/route.ts'
import { type LiveDeps, LiveHub } from './LiveHub.ts'
import { OtherProcesses, type OtherProcessesDeps } from './OtherProcesses.store.ts'
import { type LiveRouteDeps, liveRoutes } from './watchRoute.ts'

interface LiveUpdatesDeps extends Pick<OtherProcessesDeps, 'pool' | 'connect' | 'log'> {
  /** Something else of these devices changed than what they report. */
  readonly onChanged: (deviceIds: Iterable<DeviceId>) => void
}
type Told = Omit<LiveDeps, 'others' | 'log'> & Omit<LiveRouteDeps, 'hub'>

/**
 * The live updates of a server. The gateway needs their callbacks before it listens, and only then does this process
 * have the identity by which others know it. Changes before that are not yet watched by anybody.
 */
export class LiveUpdates {
  readonly #deps: LiveUpdatesDeps
  #hub: LiveHub | undefined
  #others: OtherProcesses | undefined

  constructor(deps: LiveUpdatesDeps) {
    this.#deps = deps
  }

  /** Notes a report of a device, and what was derived from it. */
  readonly noteReported = (deviceId: DeviceId): void => this.#hub?.noteChanged(deviceId)

  readonly noteChanged = (deviceId: DeviceId): void => {
    this.#deps.onChanged([deviceId])
    this.#hub?.noteChanged(deviceId)
  }

  readonly noteAlerts = (deviceIds: ReadonlySet<DeviceId>): void => {
    this.#deps.onChanged(deviceIds)
    this.#hub?.noteAlerts(deviceIds)
  }

  readonly noteChangedElsewhere = (deviceId: DeviceId): void => {
    this.#deps.onChanged([deviceId])
    this.#hub?.noteChangedElsewhere([deviceId])
  }

  open(processId: string, told: Told): readonly Route[] {
    this.#others = new OtherProcesses({
      ...this.#deps,
      processId,
      onChangedElsewhere: (deviceIds) => this.#hub?.noteChangedElsewhere(deviceIds),
      onAlertsElsewhere: (deviceIds) => this.#hub?.noteAlertsElsewhere(deviceIds),
      onWatchedElsewhere: (deviceIds) => this.#hub?.noteWatchedElsewhere(deviceIds),
      onPeopleChanged: () => this.#hub?.recheckRights(),
      onReconnected: () => this.#hub?.retellAll(),
    })
    this.#hub = new LiveHub({ ...told, others: this.#others, log: this.#deps.log })
    return liveRoutes({ ...told, hub: this.#hub })
  }

  async stop(): Promise<void> {
    this.#hub?.stop()
    await this.#others?.stop()
  }
}
