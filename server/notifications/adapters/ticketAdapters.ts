import { settingOf } from '#domain/notifications/channelKinds.ts'
import {
  type Adapter,
  basicAuth,
  type Delivery,
  doneAs,
  jsonOf,
  notGone,
  outcomeOfStatus,
  postJson,
  textAt,
} from './adapter.ts'
import { plainly, severityOf, upTo } from './deliveryTexts.ts'

/** A Jira document of paragraphs of text, in which nothing is markup. */
const jiraDocument = (text: string) => ({
  type: 'doc',
  version: 1,
  content: text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] })),
})

const foreignIdOf = (delivery: Delivery) => ('foreignId' in delivery ? delivery.foreignId : undefined)

/** Creates an issue of Jira Cloud; what follows is a comment, and the end a transition where one is set. */
export const jiraAdapter: Adapter = {
  requests: ({ settings, secret }, delivery) => {
    const headers = basicAuth(settings.user, secret)
    const api = `${settingOf('jira', settings, 'address')}/rest/api/3`
    // A test leaves no issue behind: it asks who we are.
    if (delivery.what === 'test') return [{ method: 'GET', url: `${api}/myself`, headers }]
    const { title, text } = plainly(delivery)
    const key = foreignIdOf(delivery)
    if (key === undefined) {
      const fields = {
        project: { key: settings.recipient },
        issuetype: { name: settingOf('jira', settings, 'issueType') },
        summary: upTo(title, 250),
        description: jiraDocument(upTo(text, 30_000)),
      }
      return [postJson(`${api}/issue`, { fields }, headers)]
    }
    const issue = `${api}/issue/${encodeURIComponent(key)}`
    const comment = postJson(`${issue}/comment`, { body: jiraDocument(upTo(`${title}\n${text}`, 30_000)) }, headers)
    const isClosing = delivery.what === 'over' && settings.transitionId !== ''
    const close = postJson(`${issue}/transitions`, { transition: { id: settings.transitionId } }, headers)
    return isClosing ? [comment, close] : [comment]
  },
  read: (answer, delivery) => {
    const outcome = outcomeOfStatus(answer)
    const key = foreignIdOf(delivery)
    if (outcome.is !== 'done') return key === undefined ? notGone(outcome) : outcome
    return key === undefined ? doneAs(textAt(jsonOf(answer.text), 'key')) : outcome
  },
}

/** Journals of ServiceNow show what stands between these as HTML. */
const withoutCode = (text: string) => text.replaceAll(/\[(\/?)code\]/gi, '[ $1code ]')

const SERVICENOW_URGENCY: Readonly<Record<number, string>> = { 1: '1', 2: '2', 3: '3' }
const SERVICENOW_RESOLVED = '6'

/** Creates an incident by the Table API of ServiceNow; what follows is a work note, and the end is "Resolved". */
export const serviceNowAdapter: Adapter = {
  requests: ({ settings, secret }, delivery) => {
    const headers = basicAuth(settings.user, secret)
    const table = `${settingOf('servicenow', settings, 'address')}/api/now/table/incident`
    if (delivery.what === 'test')
      return [{ method: 'GET', url: `${table}?sysparm_limit=1&sysparm_fields=number`, headers }]
    const { title, text } = plainly(delivery)
    const id = foreignIdOf(delivery)
    if (id === undefined) {
      const content = {
        short_description: upTo(title, 160),
        description: withoutCode(upTo(text, 4000)),
        urgency: SERVICENOW_URGENCY[severityOf(delivery)] ?? '2',
        impact: SERVICENOW_URGENCY[severityOf(delivery)] ?? '2',
        correlation_id: `wayside-${delivery.key}`,
      }
      return [postJson(table, content, headers)]
    }
    const notes = { work_notes: withoutCode(upTo(`${title}\n${text}`, 4000)) }
    const ended = {
      state: SERVICENOW_RESOLVED,
      close_code: 'Resolved by caller',
      close_notes: withoutCode(upTo(title, 1000)),
    }
    const content = delivery.what === 'over' ? { ...notes, ...ended } : notes
    return [{ ...postJson(`${table}/${encodeURIComponent(id)}`, content, headers), method: 'PATCH' }]
  },
  read: (answer, delivery) => {
    const outcome = outcomeOfStatus(answer)
    const id = foreignIdOf(delivery)
    if (outcome.is !== 'done') return id === undefined ? notGone(outcome) : outcome
    return id === undefined ? doneAs(textAt(jsonOf(answer.text), 'result', 'sys_id')) : outcome
  },
}
