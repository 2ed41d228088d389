import type { Delivery } from './adapter.ts'
import { digestText, headlineOf, plainTextOf, TEST_TITLE, testText } from './messageTexts.ts'

/** Formats a title and plain text below it, for kinds that show no more than that. */
export function plainly(delivery: Delivery): {
  readonly title: string
  readonly text: string
  readonly link: string | undefined
} {
  if (delivery.what === 'test') return { title: TEST_TITLE, text: testText(delivery.channelName), link: undefined }
  if (delivery.what === 'digest') {
    const { title, lines } = digestText(delivery.messages)
    return { title, text: [...lines, delivery.listLink].join('\n'), link: delivery.listLink }
  }
  const { message } = delivery
  return { title: headlineOf(message), text: plainTextOf(message), link: message.link }
}

/** Returns the worst severity of the message: 1 critical, 2 warning, 3 information. */
export const severityOf = (delivery: Delivery): number =>
  delivery.what === 'test'
    ? 3
    : delivery.what === 'digest'
      ? Math.min(...delivery.messages.map(({ severityId }) => severityId))
      : delivery.message.severityId

const CUT = '…'

/** Cuts a text to the length that the other side accepts, counted in characters. */
export const upTo = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - CUT.length).toWellFormed()}${CUT}`
