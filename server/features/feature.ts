import type pg from 'pg'
import type { SystemFigures } from '#contract/http/operation/system.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Route } from '#server/http/call/route.ts'
import type { OpenPage } from '#server/http/pages/openPages.ts'
import type { LiveDeps } from '#server/live/hub.ts'
import type { TellOutside } from '#server/notifications/notifyOutside.ts'
import type { CallOutside } from '#server/outbound/outbound.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { LongReads } from '#server/telemetry/longReads/longReads.ts'
import type { Db } from '../db/database.ts'
import type { CommandPath } from '../gateway/commands/CommandPath.ts'
import type { ClockWatch } from '../jobs/ClockWatch.ts'
import type { AnyJob } from '../jobs/leader.ts'
import type { Config } from '../settings/config.ts'

type Say = (details: object, sentence: string) => void

/** What the server gives to its features. Each says in its `Needs` what it takes of it, and gets no more. */
export interface Given {
  /** Connections for calls. */
  readonly pool: pg.Pool
  /** The same, as the query builder sees them. */
  readonly db: Db
  /** Done apart from everything else. */
  readonly longReads: LongReads
  readonly config: Config
  /** Whom the sign-in page offers by name; absent outside the demo. */
  readonly offeredUsers?: readonly string[] | undefined
  readonly log: { readonly info: Say; readonly warn: Say; readonly error: Say }
  /** The database's time, and what holds jobs up while it may be wrong. */
  readonly clock: Pick<ClockWatch, 'now' | 'deleting'>
  /** Tells consoles that watch these devices to see them, or their alerts, anew. */
  readonly live: {
    readonly noteChanged: (deviceId: DeviceId) => void
    readonly noteAlerts: (deviceIds: ReadonlySet<DeviceId>) => void
  }
  /** Tells devices something, and waits for what they answer. */
  readonly commands: Pick<CommandPath, 'answerSeconds' | 'outcome' | 'settingsChanged' | 'sweep'>
  /** Calls others by HTTP, through the one door. */
  readonly callOutside: CallOutside
  /** Encrypts what is kept secret in the database. */
  readonly cipher: SecretCipher
  /** Tells something by a channel, once. */
  readonly tellOutside: TellOutside
  readonly readSystemFigures: () => Promise<SystemFigures>
  /** Connections of this process whose key is gone are to end. */
  readonly closeRevoked: () => void
  /** Where devices and people find the server. Known once it listens. */
  readonly addresses: () => {
    readonly mqttUrl: string
    readonly httpUrl: string
    readonly trustedCertificates?: string
  }
}

/** What a feature brings. */
export interface Feature {
  readonly routes: readonly Route[]
  /** What opens without the console, or is sent by other systems. */
  readonly openPages?: readonly OpenPage[]
  /** What the clock starts, in one process of all. */
  readonly jobs?: readonly AnyJob[]
  /** What consoles that watch a device are told. */
  readonly liveReaders?: Partial<LiveReaders>
  readonly stop?: () => void
}

export type LiveReaders = Pick<LiveDeps, 'readDevices' | 'readStates' | 'readCommands' | 'readAlerts'>
