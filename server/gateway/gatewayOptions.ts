import type { Socket } from 'node:net'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import type { ShareUses } from '#server/http/limits/sharedCounts.store.ts'
import type { Clients } from '#server/network/clients.ts'
import type { TlsPorts } from '#server/network/tlsPorts.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { AlertWatch } from '#server/telemetry/alerts/refold/alertWatch.ts'
import type { WritePathDeps } from '#server/telemetry/write/writePath.ts'
import type { DeviceReply } from './commands/replyCheck.ts'
import type { IngressClock } from './wire/ReportIngress.ts'

export interface GatewayOptions {
  /** As the application. */
  readonly pool: pg.Pool
  /** Decrypts what drivers of devices are told. */
  readonly cipher: SecretCipher
  /** For reports alone, which must not wait for what else many devices want at once; the same one when left out. */
  readonly reportPools?: { readonly lanes: readonly pg.Pool[]; readonly beside: pg.Pool }
  readonly bindAddress: string
  /** 0: any free one. */
  readonly port: number
  /** Whether devices connect here, as a matter of course; where none do the process is known to the others all the same. */
  readonly listens?: boolean
  /** Absent: there is no proxy, and who connects is the device. */
  readonly clients?: Clients
  /** Whether each TCP connection begins with a PROXY header. */
  readonly expectsProxyHeader?: boolean
  /** Opens the port of MQTT over TLS; absent when there is none. */
  readonly openTls?:
    | ((onConnection: (socket: Socket) => void, isKnown: (limitKey: string) => boolean) => Promise<TlsPorts>)
    | undefined
  /** 0: no limit. */
  readonly deviceMessagesPerSecond: number
  readonly retentionDays?: number
  readonly lanes?: number
  /** After each commit, with the devices that reported. */
  readonly onStored?: WritePathDeps['onStored']
  /** Conditions as they stand, and who folds what came late for them; nothing raises alerts when left out. */
  readonly alerts?: AlertWatch
  /** After each commit that changed alerts, with their devices. */
  readonly onAlerts?: (devices: ReadonlySet<DeviceId>) => void
  /** After each stored change of online or offline. */
  readonly onPresence?: (deviceId: DeviceId) => void
  /** What a device answers to a command or its settings. Answers whether it is stored; only then is it acknowledged. */
  readonly onReply?: (deviceId: DeviceId, reply: DeviceReply) => Promise<boolean>
  /** Has settings read and sent in one piece, between commands to the same device. */
  readonly inOrder?: (deviceId: DeviceId, work: () => Promise<void>) => Promise<void>
  /** A client has tried too many wrong keys to be let try another. */
  readonly onLimited?: (address: string) => void
  /** Counts wrong keys with the other processes. */
  readonly shareWrongKeys?: ShareUses
  /** Of the pages of the console, once it is known: the only one that may open a WebSocket. */
  readonly consoleOrigin?: () => string | undefined
  /** Never holds a key or a payload. */
  readonly log?: (sentence: string, detail: object) => void
  /** For reports and for what devices are told of the time; this machine's, taken for right, when left out. */
  readonly clock?: IngressClock
  /** Silence that counts as offline; other than the product's only in tests. */
  readonly offlineAfterMs?: number
}
