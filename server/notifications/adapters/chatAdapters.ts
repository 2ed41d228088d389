import { settingOf } from '#domain/notifications/channelKinds.ts'
import type { OutboundAnswer } from '#server/outbound/outbound.ts'
import {
  type Adapter,
  type ChannelWays,
  type Delivery,
  doneAs,
  excerptOf,
  jsonOf,
  notGone,
  type Outcome,
  outcomeOfStatus,
  postJson,
  textAt,
} from './adapter.ts'
import { plainly, severityOf, upTo } from './deliveryTexts.ts'

const foreignIdOf = (delivery: Delivery) => ('foreignId' in delivery ? delivery.foreignId : undefined)

/** Slack requires these three and no others to be escaped (docs.slack.dev, "Formatting message text"). */
const slackText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const SLACK_NOT_NOW = [
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]
const SLACK_GONE = ['message_not_found', 'cant_update_message', 'edit_window_closed']

/** Sends a message by chat.postMessage, and updates it by chat.update. All of it is plain text: nothing is markup. */
export const slackAdapter: Adapter = {
  requests: ({ settings, secret }, delivery) => {
    const { title, text, link } = plainly(delivery)
    const [room, at] = foreignIdOf(delivery)?.split(' ') ?? []
    const section = (words: string) => ({ type: 'section', text: { type: 'plain_text', text: words, emoji: false } })
    const button = { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: link }
    const content = {
      channel: room ?? settings.recipient,
      ...(at !== undefined && { ts: at }),
      text: slackText(upTo(title, 1000)),
      parse: 'none',
      unfurl_links: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: upTo(title, 150), emoji: false } },
        section(upTo(text, 3000)),
        ...(link === undefined ? [] : [{ type: 'actions', elements: [button] }]),
      ],
    }
    const method = at === undefined ? 'chat.postMessage' : 'chat.update'
    const address = `${settingOf('slack', settings, 'address')}/${method}`
    return [postJson(address, content, { Authorization: `Bearer ${secret}` })]
  },
  read: (answer) => {
    const outcome = outcomeOfStatus(answer)
    if (outcome.is !== 'done') return outcome
    const read = jsonOf(answer.text)
    if (read.ok === true) {
      const [room, at] = [textAt(read, 'channel'), textAt(read, 'ts')]
      return doneAs(room !== undefined && at !== undefined ? `${room} ${at}` : undefined)
    }
    const error = textAt(read, 'error') ?? 'no answer of Slack'
    const reason = `Slack: ${excerptOf(error)}`
    if (SLACK_NOT_NOW.includes(error)) return { is: 'later', reason }
    return { is: SLACK_GONE.includes(error) ? 'gone' : 'refused', reason }
  },
}

/** Sends an Adaptive Card of text runs, in which nothing is markup. */
export const teamsAdapter: Adapter = {
  requests: ({ secret }, delivery) => {
    const { title, text, link } = plainly(delivery)
    const run = (words: string, more: object = {}) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text: words, ...more }],
    })
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        run(upTo(title, 500), { weight: 'Bolder', size: 'Medium' }),
        ...upTo(text, 8000)
          .split('\n')
          .map((line) => run(line)),
      ],
      ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
    }
    const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }]
    return [postJson(secret, { type: 'message', attachments })]
  },
  read: (answer) => notGone(outcomeOfStatus(answer)),
}

/** Sends without a parse mode, so the text is shown as it is. */
export const telegramAdapter: Adapter = {
  requests: (ways, delivery) => {
    const { title, text } = plainly(delivery)
    const id = foreignIdOf(delivery)
    const content = {
      chat_id: ways.settings.recipient,
      ...(id !== undefined && { message_id: Number(id) }),
      text: upTo(`${title}\n\n${text}`, 4000),
      link_preview_options: { is_disabled: true },
    }
    return [postJson(telegramMethod(ways, id === undefined ? 'sendMessage' : 'editMessageText'), content)]
  },
  read: readTelegram,
}

const telegramMethod = ({ settings, secret }: ChannelWays, method: string) =>
  `${settingOf('telegram', settings, 'address')}/bot${secret}/${method}`

function readTelegram(answer: OutboundAnswer): Outcome {
  const read = jsonOf(answer.text)
  const words = textAt(read, 'description') ?? ''
  // The message already says this.
  if (answer.status === 400 && words.includes('message is not modified')) return { is: 'done' }
  if (answer.status === 400 && /message to edit not found|message can't be edited/.test(words))
    return { is: 'gone', reason: `Telegram: ${excerptOf(words)}` }
  const outcome = outcomeOfStatus(answer)
  if (outcome.is === 'done') return doneAs(textAt(read, 'result', 'message_id'))
  const seconds = Number(textAt(read, 'parameters', 'retry_after'))
  if (outcome.is === 'later' && seconds > 0) return { ...outcome, retryAfterMs: seconds * 1000 }
  // Only a wrong token gives 404.
  return outcome.is === 'gone' ? { is: 'refused', reason: outcome.reason } : outcome
}

const NTFY_PRIORITY: Readonly<Record<number, number>> = { 1: 5, 2: 4, 3: 3 }
const NTFY_OVER = 2

/** Later messages replace earlier ones by `sequence_id`, where the server knows it. */
export const ntfyAdapter: Adapter = {
  requests: ({ settings, secret }, delivery) => {
    const { title, text, link } = plainly(delivery)
    const isOver = delivery.what === 'over'
    const content = {
      topic: settings.recipient,
      title: upTo(title, 250),
      message: upTo(text, 4000),
      priority: isOver ? NTFY_OVER : (NTFY_PRIORITY[severityOf(delivery)] ?? 3),
      tags: [delivery.what === 'test' ? 'information_source' : isOver ? 'white_check_mark' : 'warning'],
      ...(link !== undefined && { click: link }),
      ...('foreignId' in delivery && { sequence_id: delivery.key }),
    }
    const headers: Record<string, string> = secret === '' ? {} : { Authorization: `Bearer ${secret}` }
    return [postJson(settingOf('ntfy', settings, 'address'), content, headers)]
  },
  read: (answer) => notGone(outcomeOfStatus(answer)),
}
