import type { IncomingHttpHeaders } from 'node:http'
import { CallError } from './callError.ts'

const text = (value: string | string[] | undefined) => String(value ?? '').toLowerCase()

/**
 * A call that changes state by GET must not be made by following a link, by an embedded picture or by a browser that
 * looks ahead. Programs without these headers pass.
 */
export function refuseNavigation(headers: IncomingHttpHeaders): void {
  const mode = headers['sec-fetch-mode']
  const purpose = `${text(headers['sec-purpose'])} ${text(headers.purpose)} ${text(headers['x-moz'])}`
  if ((mode !== undefined && text(mode) !== 'cors') || /prefetch|prerender|preview/.test(purpose)) {
    throw new CallError('not_a_navigation')
  }
}

/**
 * What changes something without a sign-in is sent by its own page or by a program, never by a page of another site: its
 * visitors would ask for mails in their own name without knowing. Where a browser does not say it (by plain http), its `Origin`
 * does; `null` is what our own pages send there, because they tell no referrer.
 */
export function refuseCrossSite({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  const isOurs = site !== undefined ? /^(same-origin|none)$/.test(text(site)) : isOurOrigin(origin, host)
  if (!isOurs) throw new CallError('forbidden', 'This was sent by a page of another site.')
}

const isOurOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin === undefined || origin === 'null' || (URL.canParse(origin) && new URL(origin).host === host)
