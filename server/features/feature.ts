import type pg from 'pg'
import type { SystemFigures } from '#contract/http/operation/system.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Route } from '#server/http/call/route.ts'
import type { OpenPage } from '#server/http/pages/openPages.ts'
import type { LiveDeps } from '#server/live/LiveHub.ts'
import type { MailSource, MailSourceDeps } from '#server/mail/sending/mailSource.ts'
import type { NotifyOutside } from '#server/notifications/notifyOutside.ts'
import type { CallOutside } from '#server/outbound/outbound.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { LongReads } from '#server/telemetry/longReads/longReads.ts'
import type { Db } from '../db/database.ts'
import type { CommandPath } from '../gateway/commands/CommandPath.ts'
import type { ClockWatch } from '../jobs/ClockWatch.ts'
import type { AnyJob } from '../jobs/JobRunner.ts'
import type { Config } from '../settings/config.ts'

type Say = (details: object, sentence: string) => void

/** What the server offers its features. Each feature names in its `Deps` what it uses, and gets no more. */
export interface Given {
  readonly pool: pg.Pool
  /** The query builder on the same connections. */
  readonly db: Db
  /** Long reads have connections and places of their own, so that calls never wait for them. */
  readonly longReads: LongReads
  readonly config: Config
  /** The sign-in page offers these users by name; undefined outside the demo. */
  readonly offeredUsers?: readonly string[] | undefined
  readonly log: { readonly info: Say; readonly warn: Say; readonly error: Say }
  /** The database's time, and what holds deleting jobs back while that may be wrong. */
  readonly clock: Pick<ClockWatch, 'now' | 'deleting'>
  /** Makes consoles that watch these devices read them, or their alerts, again. */
  readonly live: {
    readonly noteChanged: (deviceId: DeviceId) => void
    readonly noteAlerts: (deviceIds: ReadonlySet<DeviceId>) => void
  }
  /** Sends to devices and waits for their answers. */
  readonly commands: Pick<CommandPath, 'answerSeconds' | 'outcome' | 'settingsChanged' | 'sweep'>
  /** Calls other hosts over HTTP; nothing else may. */
  readonly callOutside: CallOutside
  readonly cipher: SecretCipher
  /** Sends one message through a channel. */
  readonly notifyOutside: NotifyOutside
  readonly readSystemFigures: () => Promise<SystemFigures>
  /** Ends connections of this process whose key is gone. */
  readonly closeRevoked: () => void
  /** The addresses where devices and people find the server, known once it listens. */
  readonly addresses: () => {
    readonly mqttUrl: string
    readonly httpUrl: string
    readonly trustedCertificates?: string
  }
}

export interface Feature {
  readonly routes: readonly Route[]
  /** These open without signing in, or are requested by other systems. */
  readonly openPages?: readonly OpenPage[]
  /** Scheduled jobs, which run in one process of all. */
  readonly jobs?: readonly AnyJob[]
  /** Kinds of mail with rows of their own. */
  readonly mailSources?: readonly ((deps: MailSourceDeps) => MailSource)[]
  /** These read what consoles that watch a device are sent. */
  readonly liveReaders?: Partial<LiveReaders>
  readonly stop?: () => void
}

export type LiveReaders = Pick<LiveDeps, 'readDevices' | 'readStates' | 'readCommands' | 'readAlerts'>
