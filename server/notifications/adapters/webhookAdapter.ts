import { Webhook } from 'standardwebhooks'
import { type Adapter, type Delivery, notGone, outcomeOfStatus } from './adapter.ts'
import type { IncidentMessage } from './messageTexts.ts'

/** Standard Webhooks 1.0 has three headers, over whose values and the body every receiver can check the signature. */
export const webhookAdapter: Adapter = {
  requests: ({ secret, signing }, delivery, now) => {
    const id = webhookIdOf(delivery)
    const body = JSON.stringify(eventOf(delivery, now))
    return [
      {
        method: 'POST',
        url: secret,
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': signing.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
        },
        body,
      },
    ]
  },
  // A missing receiver is tried like one that refuses, and given up.
  read: (answer) => notGone(outcomeOfStatus(answer)),
}

/** Every try has the same id, so that a receiver does nothing twice. */
const webhookIdOf = (delivery: Delivery): string =>
  'revision' in delivery ? `msg_${delivery.key}_${delivery.revision}` : `msg_${delivery.key}`

function eventOf(delivery: Delivery, now: Date): object {
  const timestamp = now.toISOString()
  if (delivery.what === 'test') return { type: 'test', timestamp, data: { channel: delivery.channelName } }
  if (delivery.what === 'digest')
    return {
      type: 'incident.digest',
      timestamp,
      data: { incidents: delivery.messages.map(dataOf), link: delivery.listLink },
    }
  return { type: `incident.${delivery.what}`, timestamp, data: dataOf(delivery.message) }
}

const SEVERITY_WORDS: Readonly<Record<number, string>> = { 1: 'critical', 2: 'warning', 3: 'information' }

const dataOf = (message: IncidentMessage) => ({
  incidentId: message.incidentId,
  title: message.title,
  state: message.state,
  severity: SEVERITY_WORDS[message.severityId] ?? 'warning',
  firstCause: { device: message.deviceName, address: message.deviceAddress, text: message.causeText },
  customer: message.customerName === '' ? null : message.customerName,
  deviceCount: message.deviceCount,
  placeCount: message.placeCount,
  alertCount: message.alertCount,
  activeAlertCount: message.activeCount,
  alerts: message.alerts.map(({ device, text, isActive }) => ({ device, text, active: isActive })),
  began: message.beganAt.toISOString(),
  over: message.overAt?.toISOString() ?? null,
  acknowledgedBy: message.acknowledgedBy ?? null,
  link: message.link,
})
