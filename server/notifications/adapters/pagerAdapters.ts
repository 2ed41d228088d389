import { settingOf } from '#domain/notifications/channelKinds.ts'
import type { OutboundRequest } from '#server/outbound/outbound.ts'
import { type Adapter, type Delivery, notGone, outcomeOfStatus, postJson } from './adapter.ts'
import { plainly, severityOf, upTo } from './deliveryTexts.ts'
import { factsOf, headlineOf } from './messageTexts.ts'

const detailsOf = (delivery: Delivery): Readonly<Record<string, string>> =>
  'message' in delivery ? Object.fromEntries(factsOf(delivery.message)) : { Text: plainly(delivery).text }

const PAGERDUTY_SEVERITY: Readonly<Record<number, string>> = { 1: 'critical', 2: 'warning', 3: 'info' }

/** An event is one incident there by its dedup_key, from trigger to resolve. */
export const pagerDutyAdapter: Adapter = {
  requests: ({ settings, secret }, delivery) => {
    const url = settingOf('pagerduty', settings, 'address')
    const event = (action: 'trigger' | 'acknowledge' | 'resolve'): OutboundRequest => {
      const { title, link } = plainly(delivery)
      return postJson(url, {
        routing_key: secret,
        event_action: action,
        dedup_key: `wayside-${delivery.key}`,
        client: 'Wayside',
        ...(link !== undefined && { client_url: link, links: [{ href: link, text: 'Open in Wayside' }] }),
        payload: {
          summary: upTo(title, 1024),
          source: upTo('message' in delivery ? delivery.message.deviceName || 'Wayside' : 'Wayside', 255),
          severity: PAGERDUTY_SEVERITY[severityOf(delivery)] ?? 'warning',
          custom_details: detailsOf(delivery),
        },
      })
    }
    if (delivery.what === 'test') return [event('trigger'), event('resolve')]
    if (delivery.what === 'over') return [event('resolve')]
    const isTaken = 'message' in delivery && delivery.message.acknowledgedBy !== undefined
    return isTaken ? [event('trigger'), event('acknowledge')] : [event('trigger')]
  },
  read: (answer) => notGone(outcomeOfStatus(answer)),
}

const OPSGENIE_PRIORITY: Readonly<Record<number, string>> = { 1: 'P1', 2: 'P3', 3: 'P5' }

/** An alert is found again by its alias, to acknowledge and close it. */
export const opsgenieAdapter: Adapter = {
  requests: ({ settings, secret }, delivery) => {
    const alias = `wayside-${delivery.key}`
    const alerts = `${settingOf('opsgenie', settings, 'address')}/v2/alerts`
    const post = (url: string, content: object) => postJson(url, content, { Authorization: `GenieKey ${secret}` })
    const then = (action: 'close' | 'acknowledge' | 'notes', note: string) =>
      post(`${alerts}/${encodeURIComponent(alias)}/${action}?identifierType=alias`, { source: 'Wayside', note })
    const { title, text } = plainly(delivery)
    const create = post(alerts, {
      message: upTo(title, 130),
      alias,
      description: upTo(text, 15_000),
      details: detailsOf(delivery),
      entity: 'message' in delivery ? upTo(delivery.message.deviceName, 512) : 'Wayside',
      priority: OPSGENIE_PRIORITY[severityOf(delivery)] ?? 'P3',
      source: 'Wayside',
    })
    if (delivery.what === 'test') return [create, then('close', 'It was a test.')]
    if (delivery.what === 'over') return [then('close', upTo(headlineOf(delivery.message), 25_000))]
    if (delivery.what !== 'changed') return [create]
    const { acknowledgedBy } = delivery.message
    return [then(acknowledgedBy === undefined ? 'notes' : 'acknowledge', upTo(`${title}\n${text}`, 25_000))]
  },
  read: (answer) => notGone(outcomeOfStatus(answer)),
}
