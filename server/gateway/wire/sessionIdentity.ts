import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { TokenBucket } from './TokenBucket.ts'

/** What a connection knows of its device. */
export interface SessionIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  /** Everything that the device may touch begins with it. */
  readonly root: string
  /** One for all connections of the device. */
  readonly bucket: TokenBucket
}
