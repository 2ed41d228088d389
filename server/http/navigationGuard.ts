import type { IncomingHttpHeaders } from 'node:http'
import { CallError } from './call/callError.ts'

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
