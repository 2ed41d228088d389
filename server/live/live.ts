import type { DeviceId } from '#domain/ids.ts'
import type { Route } from '#server/http/call/route.ts'
import { createLiveHub, type LiveHub, type LiveNeeds } from './hub.ts'
import { type LiveRouteNeeds, liveRoutes } from './live.routes.ts'
import { type ConnectedProcesses, connectOtherProcesses, type OtherProcessesNeeds } from './otherProcesses.store.ts'

interface LiveSideNeeds extends Pick<OtherProcessesNeeds, 'pool' | 'connect' | 'log'> {
  /** Something of these devices changed, beside what they report. */
  readonly onChanged: (deviceIds: Iterable<DeviceId>) => void
}
/** What is told, and to whom it may be. */
type Told = Omit<LiveNeeds, 'others' | 'log'> & Omit<LiveRouteNeeds, 'hub'>

/**
 * What tells consoles of changes. The gateway is told whom to tell before it listens, and only then this process has an
 * identity by which others know it: what changes before that nobody watches yet.
 */
export class LiveSide {
  readonly #needs: LiveSideNeeds
  #hub: LiveHub | undefined
  #others: ConnectedProcesses | undefined

  constructor(needs: LiveSideNeeds) {
    this.#needs = needs
  }

  /** What it says, and what was found from that. */
  readonly noteReported = (deviceId: DeviceId): void => this.#hub?.noteChanged(deviceId)

  readonly noteChanged = (deviceId: DeviceId): void => {
    this.#needs.onChanged([deviceId])
    this.#hub?.noteChanged(deviceId)
  }

  readonly noteAlerts = (deviceIds: ReadonlySet<DeviceId>): void => {
    this.#needs.onChanged(deviceIds)
    this.#hub?.noteAlerts(deviceIds)
  }

  /** Everybody is told of it. */
  readonly noteChangedElsewhere = (deviceId: DeviceId): void => {
    this.#needs.onChanged([deviceId])
    this.#hub?.noteChangedElsewhere([deviceId])
  }

  open(processId: string, told: Told): readonly Route[] {
    this.#others = connectOtherProcesses({
      ...this.#needs,
      processId,
      onChangedElsewhere: (deviceIds) => this.#hub?.noteChangedElsewhere(deviceIds),
      onAlertsElsewhere: (deviceIds) => this.#hub?.noteAlertsElsewhere(deviceIds),
      onWatchedElsewhere: (deviceIds) => this.#hub?.noteWatchedElsewhere(deviceIds),
      onPeopleChanged: () => this.#hub?.recheckRights(),
      onReconnected: () => this.#hub?.retellAll(),
    })
    this.#hub = createLiveHub({ ...told, others: this.#others, log: this.#needs.log })
    return liveRoutes({ ...told, hub: this.#hub })
  }

  async stop(): Promise<void> {
    this.#hub?.stop()
    await this.#others?.stop()
  }
}
