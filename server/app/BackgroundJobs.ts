import type { DeviceId } from '#domain/ids.ts'
import { verdictJob } from '../darkness/now/verdictJob.ts'
import { waitingJob } from '../darkness/waiting/waitingJob.ts'
import { deadProcessesJob } from '../gateway/sessions/deadProcesses.ts'
import { INCIDENTS_JOB, incidentJob } from '../incidents/incidentJob.ts'
import { createJobRinger } from '../jobs/JobBells.ts'
import { type AnyJob, JobRunner } from '../jobs/JobRunner.ts'
import { endedMailsJob } from '../mail/alerts/endedMails.ts'
import { MAILS_JOB, MailQueue } from '../mail/mailQueue.ts'
import { createMailDelivery } from '../mail/sending/createMailer.ts'
import { createAcknowledgeLinks } from '../notifications/acknowledgeLinks.ts'
import { endedDeliveriesJob } from '../notifications/endedDeliveries.ts'
import { judgeIncidents } from '../notifications/judgeIncidents.ts'
import { NoticeQueue } from '../notifications/NoticeQueue.ts'
import type { NotifyOutside } from '../notifications/notifyOutside.ts'
import { recipientMailSource } from '../notifications/recipientMails.ts'
import { encryptSecretsJob } from '../secrets/encryptSecretsJob.ts'
import { changesThatEndJob } from '../telemetry/alerts/refold/changesThatEnd.ts'
import { strayAlertsJob } from '../telemetry/alerts/refold/strayAlerts.ts'
import { readFieldReadings } from '../telemetry/read/fieldReadings.ts'
import { rollupJob } from '../telemetry/rollup/rollupJob.ts'
import { orphanedStateJob } from '../telemetry/state/orphanedState.ts'
import type { Features } from './features.ts'
import type { Platform } from './platform.ts'

interface Notifying {
  readonly consoleUrl: string
  readonly notifyOutside: NotifyOutside
}

/** The scheduled jobs of the features and of what lies below them. They start last, and only with the role `jobs`. */
export class BackgroundJobs {
  readonly #platform: Platform
  #jobs: JobRunner | undefined
  #mails: MailQueue | undefined

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** Undefined until they run. */
  get jobs(): JobRunner | undefined {
    return this.#jobs
  }

  /** Undefined until the jobs run. */
  get mails(): MailQueue | undefined {
    return this.#mails
  }

  start(features: Features, notifying: Notifying): void {
    const { pools, log, clock, onStop } = this.#platform
    const mails = this.#openMails(notifying, features)
    const notices = this.#openNotices(notifying)
    onStop(() => mails.stop())
    onStop(() => notices.stop())
    const jobs = new JobRunner({
      watch: pools.ownerWatch,
      jobs: [...this.#jobsBelowFeatures([mails.job, notices.job]), ...features.jobs],
      log,
      now: clock.now,
    })
    onStop(() => jobs.stop())
    this.#jobs = jobs
    this.#mails = mails
  }

  #jobsBelowFeatures(queues: readonly AnyJob[]): readonly AnyJob[] {
    const { pools, clock, live, days, backups, cipher } = this.#platform
    const ringIncidents = createJobRinger(pools.calls, INCIDENTS_JOB)
    const onAlerts = (deviceIds: ReadonlySet<DeviceId>) => {
      live.noteAlerts(deviceIds)
      if (deviceIds.size > 0) ringIncidents()
    }
    return [
      ...days.jobs,
      deadProcessesJob(pools.gateway, live.noteChanged),
      rollupJob,
      orphanedStateJob,
      verdictJob((deviceIds) => deviceIds.forEach(live.noteReported)),
      waitingJob(onAlerts),
      incidentJob(live.noteAlerts, MAILS_JOB),
      strayAlertsJob(pools.db, live.noteAlerts),
      changesThatEndJob,
      ...queues,
      encryptSecretsJob(cipher),
      clock.deleting(endedMailsJob),
      clock.deleting(endedDeliveriesJob),
      ...backups.jobs,
    ]
  }

  #openMails({ consoleUrl }: Notifying, { mailSources }: Pick<Features, 'mailSources'>): MailQueue {
    const { config, pools, log, clock } = this.#platform
    return new MailQueue({
      ...createMailDelivery(config, consoleUrl),
      pool: pools.calls,
      consoleUrl,
      log,
      now: clock.now,
      readings: (question, atMost) => readFieldReadings(pools.calls, question, atMost),
      judge: judgeIncidents,
      recipientMails: recipientMailSource,
      ofFeatures: mailSources,
      acknowledgeLink: createAcknowledgeLinks(pools.calls, consoleUrl),
    })
  }

  #openNotices({ consoleUrl, notifyOutside }: Notifying): NoticeQueue {
    const { pools, log, clock, cipher } = this.#platform
    return new NoticeQueue({ pool: pools.calls, notifyOutside, cipher, consoleUrl, log, now: clock.now })
  }
}
