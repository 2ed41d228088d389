import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { TokenBucket } from './TokenBucket.ts'

export interface SessionIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  /** Every topic that the device may use begins with it. */
  readonly root: string
  /** All connections of the device share one bucket. */
  readonly bucket: TokenBucket
}
