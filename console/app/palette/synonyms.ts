/**
 * What people in the field call things that have another name here, by the palette's item that each word is to find
 * first.
 */
export const SYNONYMS: Readonly<Record<string, string>> = {
  'page /overview': 'dashboard home start summary sla availability kpi',
  'page /devices': 'displays screens totems signs fleet inventory assets players',
  'page /install': 'installer deb debian onboarding provision commission',
  'page /locations': 'map maps sites gps geo where',
  'page /alerts': 'alarm alarms events warnings faults',
  'page /incidents': 'outage outages incident ticket tickets downtime acknowledge ack snooze owner rca',
  'page /maintenance-windows': 'mute silence planned maintenance quiet suppress works blackout',
  'page /analytics':
    'hot heat temperature temperatures graph graphs chart charts metrics trends report reports history statistics',
  'page /audit-log': 'logs log changes changed who activity trail compliance',
  'page /thresholds': 'limits limit conditions rules triggers threshold',
  'page /users': 'people accounts team members staff user',
  'page /single-sign-on': 'sso saml oidc openid entra okta keycloak google idp login federation',
  'page /roles': 'permissions rights access rbac role',
  'page /notifications/routes': 'notify routing policy policies alerting recipients notifications',
  'page /notifications/on-call':
    'escalation escalate escalations pager oncall rota roster shifts shift schedule schedules duty standby',
  'page /notifications/channels':
    'webhook webhooks slack teams telegram ntfy pagerduty opsgenie jira servicenow sms email mail integrations',
  'page /customers': 'tenants tenant clients organisations organizations companies customer',
  'page /status-pages': 'status statuspage public share',
  'page /device-software/releases': 'firmware software versions version client agent builds release packages',
  'page /device-software/rollouts': 'deployment deployments deploy ota update updates upgrade upgrades waves rollout',
  'page /system':
    'health healthcheck cron jobs job backup backups restore queues storage disk database server monitoring',
  'account.factors': '2fa mfa totp passkey passkeys authenticator',
}
