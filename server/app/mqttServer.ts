import type { DeviceId } from '#domain/ids.ts'
import { CommandPath } from '../gateway/commands/CommandPath.ts'
import { type Gateway, startGateway } from '../gateway/gateway.ts'
import { deviceRefusal } from '../http/limits/LimitRefusals.store.ts'
import { INCIDENTS_JOB } from '../incidents/incidentJob.ts'
import { createJobRinger } from '../jobs/JobBells.ts'
import { plainHosts } from '../network/plainHosts.ts'
import { AlertWatch } from '../telemetry/alerts/refold/AlertWatch.ts'
import type { Platform } from './platform.ts'
import type { ServerAddresses } from './ServerAddresses.ts'

const DEVICE_MESSAGES_PER_SECOND = 20

/** Starts all communication with devices: the gateway, the path of commands, and the evaluation of reports. */
export async function startMqttServer(
  platform: Platform,
  addresses: ServerAddresses,
): Promise<{ readonly gateway: Gateway; readonly commands: CommandPath }> {
  const { config, pools, log, clock, retentionDays, live, verdicts, clients, limitRefusals, onStop } = platform
  const commands = new CommandPath({
    pool: pools.gateway,
    connectListener: pools.connectListener,
    answerSeconds: config.deviceAnswerSeconds,
    onMoved: live.noteChangedElsewhere,
    log: (sentence, detail) => log.warn(detail, sentence),
  })
  // Folding then wakes the mails.
  const foldIncidents = createJobRinger(pools.gateway, INCIDENTS_JOB)
  const onAlerts = (deviceIds: ReadonlySet<DeviceId>) => {
    live.noteAlerts(deviceIds)
    foldIncidents()
  }
  const alerts = await AlertWatch.start({
    // An ingest shard waits while late readings of its devices are folded.
    pool: pools.reports.beside,
    connect: pools.connectListener,
    onAlerts,
    log: (sentence, error) => log.warn({ error }, sentence),
  })
  // They stop side by side: a fold that has begun ends with the shard that waits for it, and no other begins.
  onStop(() => alerts.stop())
  const gateway = await startGateway({
    pool: pools.gateway,
    cipher: platform.cipher,
    reportPools: pools.reports,
    bindAddress: plainHosts(config).mqtt,
    port: config.mqttPort,
    listens: config.roles.includes('gateway'),
    clients,
    expectsProxyHeader: config.proxyProtocol.includes('mqtt'),
    openTls: platform.tls?.openMqtts,
    deviceMessagesPerSecond: config.deviceMessagesPerSecond ?? DEVICE_MESSAGES_PER_SECOND,
    shareWrongKeys: platform.sharedCounts.uses('wrongKeys'),
    onLimited: (address) => limitRefusals.note(deviceRefusal(address, 'MQTT sign-in')),
    onStored: (deviceIds, turned) => {
      deviceIds.forEach(live.noteReported)
      if (turned.size > 0) verdicts.tell(turned)
    },
    alerts,
    onAlerts,
    onPresence: live.noteChanged,
    clock,
    retentionDays,
    onReply: (deviceId, reply) => commands.reply(deviceId, reply),
    inOrder: (deviceId, work) => commands.inOrder(deviceId, work),
    consoleOrigin: () => addresses.consoleOrigin,
    log: (sentence, detail) => log.warn(detail, sentence),
  })
  onStop(() => Promise.all([commands.stop(), gateway.stop()]))
  commands.open(gateway)
  return { gateway, commands }
}
