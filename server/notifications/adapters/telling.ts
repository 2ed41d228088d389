import type { Telling } from './adapter.ts'
import { digestText, headlineOf, plainTextOf, TEST_TITLE, testText } from './messageTexts.ts'

/** Formats a title and plain text below it, for kinds that show no more than that. */
export function plainly(telling: Telling): {
  readonly title: string
  readonly text: string
  readonly link: string | undefined
} {
  if (telling.what === 'test') return { title: TEST_TITLE, text: testText(telling.channelName), link: undefined }
  if (telling.what === 'digest') {
    const { title, lines } = digestText(telling.messages)
    return { title, text: [...lines, telling.listLink].join('\n'), link: telling.listLink }
  }
  const { message } = telling
  return { title: headlineOf(message), text: plainTextOf(message), link: message.link }
}

/** Returns the worst severity of the message: 1 critical, 2 warning, 3 information. */
export const severityOf = (telling: Telling): number =>
  telling.what === 'test'
    ? 3
    : telling.what === 'digest'
      ? Math.min(...telling.messages.map(({ severityId }) => severityId))
      : telling.message.severityId

const CUT = '…'

/** Cuts a text to the length that the other side accepts, counted in characters. */
export const upTo = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - CUT.length).toWellFormed()}${CUT}`
