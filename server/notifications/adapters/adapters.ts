import type { ChannelKind } from '#domain/notifications/channelKinds.ts'
import type { Adapter } from './adapter.ts'
import { ntfyAdapter, slackAdapter, teamsAdapter, telegramAdapter } from './chatAdapters.ts'
import { opsgenieAdapter, pagerDutyAdapter } from './pagerAdapters.ts'
import { jiraAdapter, serviceNowAdapter } from './ticketAdapters.ts'
import { webhookAdapter } from './webhookAdapter.ts'

/** These go by HTTP; mails go through the mail queue. */
export const ADAPTERS: Readonly<Record<Exclude<ChannelKind, 'mail'>, Adapter>> = {
  webhook: webhookAdapter,
  slack: slackAdapter,
  teams: teamsAdapter,
  telegram: telegramAdapter,
  ntfy: ntfyAdapter,
  pagerduty: pagerDutyAdapter,
  opsgenie: opsgenieAdapter,
  jira: jiraAdapter,
  servicenow: serviceNowAdapter,
}
