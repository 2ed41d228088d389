import type { CallError } from '#server/http/call/callError.ts'
import type { OpenPageAnswer } from '#server/http/pages/openPages.ts'
import { inOneLine } from '#server/mail/sending/mailer.ts'
import { escaped } from '#server/mail/sending/mailHtml.ts'
import { PAGE_POLICY, PAGE_STYLE } from './pageStyle.ts'

/** Makes a text from outside safe for HTML and XML, in one line. */
export const shownText = (text: string): string => escaped(inOneLine(text).replaceAll(/[\ufffe\uffff]/g, ''))

/** @param body HTML whose texts are escaped */
export const framed = (title: string, body: string, head = ''): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">' +
  `${head}<title>${shownText(title)}</title><style>${PAGE_STYLE}</style></head><body><main>${body}</main></body></html>`

const NOINDEX = '<meta name="robots" content="noindex,nofollow">'

/** Makes a page for one person, or for what does not exist: it is not cached, and no search engine lists it. */
export const plainPage = (status: number, title: string, body: string): OpenPageAnswer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  },
  body: framed(title, `<h1>${shownText(title)}</h1><section>${body}</section>`, NOINDEX),
})

/** The answer is the same for a page that never existed, is off, or has moved. */
export const NO_SUCH_PAGE = plainPage(404, 'There is nothing here', '<p>There is no page under this address.</p>')

/** Says in words why a call was refused, and when to try again. */
export function refusedPage({ status, message, retryAfterSeconds }: CallError): OpenPageAnswer {
  const page = plainPage(status, 'This did not work', `<p>${shownText(message)}</p>`)
  return retryAfterSeconds === undefined
    ? page
    : { ...page, headers: { ...page.headers, 'retry-after': String(retryAfterSeconds) } }
}
