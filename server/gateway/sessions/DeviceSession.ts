import { topicRoot } from '#contract/mqtt/topics.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { DeviceLink } from '../wire/DeviceLink.ts'
import type { SessionIdentity } from '../wire/sessionIdentity.ts'
import type { TokenBucket } from '../wire/TokenBucket.ts'

export type EndedConnection = Pick<DeviceLink, 'id' | 'keyHash'>

/** One device while it is connected to this process, by one connection or two, or reports by one after the other. */
export class DeviceSession implements SessionIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  readonly root: string
  readonly bucket: TokenBucket
  /** Oldest first. */
  readonly links: DeviceLink[] = []
  lastHeardMs: number
  isSilent = false
  /** The last connection, of a device that connects only to report: it has ended, and the device counts as there. */
  ended: EndedConnection | undefined

  constructor(deviceId: DeviceId, guid: DeviceGuid, bucket: TokenBucket, nowMs: number) {
    this.deviceId = deviceId
    this.guid = guid
    this.root = topicRoot(guid)
    this.bucket = bucket
    this.lastHeardMs = nowMs
  }
}
