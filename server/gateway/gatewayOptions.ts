import type { Socket } from 'node:net'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import type { ShareUses } from '#server/http/limits/SharedCounts.store.ts'
import type { Clients } from '#server/network/clients.ts'
import type { TlsPorts } from '#server/network/tlsPorts.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { AlertWatch } from '#server/telemetry/alerts/refold/AlertWatch.ts'
import type { WritePathDeps } from '#server/telemetry/write/WritePath.ts'
import type { DeviceReply } from './commands/replyCheck.ts'
import type { IngressClock } from './wire/ReportIngress.ts'

export interface GatewayOptions {
  /** The pool of the application's role. */
  readonly pool: pg.Pool
  readonly cipher: SecretCipher
  /** Pools for reports alone, so that reports never wait for other work. Without them `pool` serves all. */
  readonly reportPools?: { readonly lanes: readonly pg.Pool[]; readonly beside: pg.Pool }
  readonly bindAddress: string
  /** Port 0 means any free port. */
  readonly port: number
  /** Whether devices connect to this process; true by default. */
  readonly listens?: boolean
  /** This is left out when there is no proxy and the peer is the device. */
  readonly clients?: Clients
  readonly expectsProxyHeader?: boolean
  readonly openTls?:
    | ((onConnection: (socket: Socket) => void, isKnown: (limitKey: string) => boolean) => Promise<TlsPorts>)
    | undefined
  /** The value 0 means no limit. */
  readonly deviceMessagesPerSecond: number
  readonly retentionDays?: number
  readonly lanes?: number
  readonly onStored?: WritePathDeps['onStored']
  /** Provides the conditions and folds late readings. Without it nothing raises alerts. */
  readonly alerts?: AlertWatch
  readonly onAlerts?: (devices: ReadonlySet<DeviceId>) => void
  readonly onPresence?: (deviceId: DeviceId) => void
  /** Resolves to whether the reply is stored; only then is it acknowledged. */
  readonly onReply?: (deviceId: DeviceId, reply: DeviceReply) => Promise<boolean>
  /** Runs reading and sending of settings in one piece, between commands to the same device. */
  readonly inOrder?: (deviceId: DeviceId, work: () => Promise<void>) => Promise<void>
  /** This is called when a client is refused because it tried too many wrong keys. */
  readonly onLimited?: (address: string) => void
  readonly shareWrongKeys?: ShareUses
  /** The origin of the console's pages, once it is known. Only they may open a WebSocket. */
  readonly consoleOrigin?: () => string | undefined
  /** The log never receives a key or a payload. */
  readonly log?: (sentence: string, detail: object) => void
  /** The clock for reports and for devices that ask for the time. By default it is this machine's, taken as right. */
  readonly clock?: IngressClock
  /** How long a silent device counts as online. Only tests change it. */
  readonly offlineAfterMs?: number
}
