import { topicRoot } from '#contract/mqtt/topics.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { DeviceLink } from './DeviceLink.ts'
import type { SessionIdentity } from './sessionIdentity.ts'
import type { TokenBucket } from './TokenBucket.ts'

/** One device while it is connected to this process, by one connection or two. */
export class DeviceSession implements SessionIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  readonly root: string
  readonly bucket: TokenBucket
  /** Oldest first. */
  readonly links: DeviceLink[] = []
  lastHeardMs: number
  isSilent = false

  constructor(deviceId: DeviceId, guid: DeviceGuid, bucket: TokenBucket, nowMs: number) {
    this.deviceId = deviceId
    this.guid = guid
    this.root = topicRoot(guid)
    this.bucket = bucket
    this.lastHeardMs = nowMs
  }
}
