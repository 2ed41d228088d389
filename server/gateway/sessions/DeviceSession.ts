import { topicRoot } from '#contract/mqtt/topics.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { DeviceLink } from '../wire/DeviceLink.ts'
import type { SessionIdentity } from '../wire/sessionIdentity.ts'
import type { TokenBucket } from '../wire/TokenBucket.ts'

export type EndedConnection = Pick<DeviceLink, 'id' | 'keyHash'>

/** A device that is connected to this process, or that reports over one short connection after another. */
export class DeviceSession implements SessionIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  readonly root: string
  readonly bucket: TokenBucket
  /** The oldest connection is the first. */
  readonly links: DeviceLink[] = []
  lastHeardMs: number
  isSilent = false
  /** The ended connection of a device that connects only to report, and so still counts as online. */
  ended: EndedConnection | undefined

  constructor(deviceId: DeviceId, guid: DeviceGuid, bucket: TokenBucket, nowMs: number) {
    this.deviceId = deviceId
    this.guid = guid
    this.root = topicRoot(guid)
    this.bucket = bucket
    this.lastHeardMs = nowMs
  }
}
