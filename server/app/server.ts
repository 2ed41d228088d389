import type { DeviceId } from '#domain/ids.ts'
import { verdictJob } from '../darkness/now/verdictJob.ts'
import { waitingJob } from '../darkness/waiting/waitingJob.ts'
import type { Db } from '../db/database.ts'
import {
  type DeviceAddresses,
  deviceAddresses,
  type ListeningAt,
  localAddresses,
  readTrusted,
} from '../features/devices/details/deviceAddresses.ts'
import { deadProcessesJob } from '../gateway/sessions/deadProcesses.ts'
import { INCIDENTS_JOB, incidentJob } from '../incidents/incidentJob.ts'
import { createJobRinger } from '../jobs/JobBells.ts'
import { JobRunner } from '../jobs/JobRunner.ts'
import { endedMailsJob } from '../mail/alerts/endedMails.ts'
import { MAILS_JOB, MailQueue } from '../mail/mailQueue.ts'
import { createMailDelivery } from '../mail/sending/createMailer.ts'
import { readSystemState } from '../monitoring/systemState.ts'
import { plainHosts } from '../network/plainHosts.ts'
import { createAcknowledgeLinks } from '../notifications/acknowledgeLinks.ts'
import { endedDeliveriesJob } from '../notifications/endedDeliveries.ts'
import { judgeIncidents } from '../notifications/judgeIncidents.ts'
import { NoticeQueue } from '../notifications/NoticeQueue.ts'
import { createNotifier, type NotifyOutside } from '../notifications/notifyOutside.ts'
import { recipientMailSource } from '../notifications/recipientMails.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { encryptSecretsJob } from '../secrets/encryptSecretsJob.ts'
import { AlertRules } from '../telemetry/alerts/alertRules.ts'
import { changesThatEndJob } from '../telemetry/alerts/refold/changesThatEnd.ts'
import { strayAlertsJob } from '../telemetry/alerts/refold/strayAlerts.ts'
import { readFieldReadings } from '../telemetry/read/fieldReadings.ts'
import { rollupJob } from '../telemetry/rollup/rollupJob.ts'
import { orphanedStateJob } from '../telemetry/state/orphanedState.ts'
import { type Features, joinFeatures } from './features.ts'
import { startHttpServer } from './httpServer.ts'
import { startMqttServer } from './mqttServer.ts'
import { type OnStop, openPlatform, type Platform, type ServerDeps } from './platform.ts'
import { openPools, type Pools } from './pools.ts'

export interface RunningServer {
  readonly addresses: DeviceAddresses
  /** Programs on this machine use these addresses. */
  readonly localAddresses: DeviceAddresses
  readonly db: Db
  readonly readAlertRules: () => Promise<AlertRules>
  /** Stores what devices have sent, and ends the consoles' streams, within two seconds. */
  stop(): Promise<void>
}

/** Joins the parts on a migrated database and listens. When one cannot start, the running ones are stopped again. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const pools = openPools(deps.databaseUrls, deps.patience)
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // The parts stop side by side: a slow call must not keep readings from being stored.
    await Promise.all(stops.splice(0).map((stopPart) => stopPart()))
    await pools.end()
  }
  try {
    const addresses = await startParts(deps, pools, (stopPart) => stops.push(stopPart))
    return { ...addresses, db: pools.db, readAlertRules: () => AlertRules.read(pools.calls), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the parts one after the other: each gets those before it. */
async function startParts(deps: ServerDeps, pools: Pools, onStop: OnStop) {
  const platform = await openPlatform(deps, pools, onStop)
  const { config, log, clock, live, cipher } = platform
  let addresses: DeviceAddresses | undefined
  let running: ReturnType<typeof startJobRunner> | undefined
  const { gateway, commands } = await startMqttServer({
    ...platform,
    consoleOrigin: () => addresses && new URL(addresses.httpUrl).origin,
  })
  const callOutside = createOutbound({ allowed: config.outboundAllow })
  const notifyOutside = createNotifier({
    callOutside,
    mailWay: () => createMailDelivery(config, required(addresses).httpUrl),
  })
  const features = joinFeatures({
    pool: pools.calls,
    db: pools.db,
    longReads: pools.longReads,
    config,
    offeredUsers: deps.offeredUsers,
    log,
    clock,
    live,
    commands,
    callOutside,
    cipher,
    notifyOutside,
    readSystemFigures: () => readSystemState({ pool: pools.calls, now: clock.now, backups: platform.backups.gauges }),
    closeRevoked: () => void gateway.closeRevoked().catch((error: unknown) => log.warn({ error }, 'revocation')),
    addresses: () => required(addresses),
  })
  onStop(() => live.stop())
  onStop(async () => features.stop())
  const beside = { jobs: () => running?.jobs, mails: () => running?.mails }
  const listening: ListeningAt = {
    bindAddress: config.bindAddress,
    ...(await startHttpServer(deps, platform, { gateway, commands, features, ...beside })),
    mqttPort: gateway.port,
    mqttsPort: gateway.tlsPort,
  }
  const { publicUrl, mqttUrl, deviceCa } = config
  addresses = { ...deviceAddresses({ ...listening, publicUrl, mqttUrl }), ...readTrusted(deviceCa) }
  const notifying = { consoleUrl: addresses.httpUrl, notifyOutside }
  if (config.roles.includes('jobs')) running = startJobRunner(platform, features, notifying)
  return { addresses, localAddresses: localAddresses(plainHosts(config), listening) }
}

/** Starts the scheduled jobs of the features and of what lies below them. */
function startJobRunner(
  { config, pools, log, clock, live, days, backups, cipher, onStop }: Platform,
  features: Features,
  { consoleUrl, notifyOutside }: { readonly consoleUrl: string; readonly notifyOutside: NotifyOutside },
) {
  const mails = new MailQueue({
    ...createMailDelivery(config, consoleUrl),
    pool: pools.calls,
    consoleUrl,
    log,
    now: clock.now,
    readings: (question, atMost) => readFieldReadings(pools.calls, question, atMost),
    judge: judgeIncidents,
    recipientMails: recipientMailSource,
    acknowledgeLink: createAcknowledgeLinks(pools.calls, consoleUrl),
  })
  onStop(() => mails.stop())
  const notices = new NoticeQueue({
    pool: pools.calls,
    notifyOutside,
    cipher,
    consoleUrl,
    log,
    now: clock.now,
  })
  onStop(() => notices.stop())
  const ringIncidents = createJobRinger(pools.calls, INCIDENTS_JOB)
  const onAlerts = (deviceIds: ReadonlySet<DeviceId>) => {
    live.noteAlerts(deviceIds)
    if (deviceIds.size > 0) ringIncidents()
  }
  const jobs = new JobRunner({
    watch: pools.ownerWatch,
    jobs: [
      ...days.jobs,
      deadProcessesJob(pools.gateway, live.noteChanged),
      rollupJob,
      orphanedStateJob,
      verdictJob((deviceIds) => deviceIds.forEach(live.noteReported)),
      waitingJob(onAlerts),
      incidentJob(live.noteAlerts, MAILS_JOB),
      strayAlertsJob(pools.db, live.noteAlerts),
      changesThatEndJob,
      mails.job,
      notices.job,
      encryptSecretsJob(cipher),
      clock.deleting(endedMailsJob),
      clock.deleting(endedDeliveriesJob),
      ...backups.jobs,
      ...features.jobs,
    ],
    log,
    now: clock.now,
  })
  onStop(() => jobs.stop())
  return { jobs, mails }
}

function required(addresses: DeviceAddresses | undefined): DeviceAddresses {
  if (!addresses) throw new Error('A call was answered before the server listened.')
  return addresses
}
