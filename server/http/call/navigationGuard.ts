import type { IncomingHttpHeaders } from 'node:http'
import { CallError } from './callError.ts'

const text = (value: string | string[] | undefined) => String(value ?? '').toLowerCase()

/**
 * Refuses a state-changing GET that a browser makes by following a link, loading a picture or prefetching. Programs,
 * which send none of these headers, pass.
 */
export function refuseNavigation(headers: IncomingHttpHeaders): void {
  const mode = headers['sec-fetch-mode']
  const purpose = `${text(headers['sec-purpose'])} ${text(headers.purpose)} ${text(headers['x-moz'])}`
  if ((mode !== undefined && text(mode) !== 'cors') || /prefetch|prerender|preview/.test(purpose)) {
    throw new CallError('not_a_navigation')
  }
}

/**
 * Accepts a change without a sign-in only from our own pages and from programs. A page of another site could otherwise
 * make its visitors ask for mails in their name. Over plain HTTP browsers leave the header out and `Origin` decides;
 * our own pages send `null` there, because they send no referrer.
 */
export function refuseCrossSite({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  const isOurs = site !== undefined ? /^(same-origin|none)$/.test(text(site)) : isOurOrigin(origin, host)
  if (!isOurs) throw new CallError('forbidden', 'This was sent by a page of another site.')
}

const isOurOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin === undefined || origin === 'null' || (URL.canParse(origin) && new URL(origin).host === host)
