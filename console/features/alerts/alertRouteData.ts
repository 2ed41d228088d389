import { alertIdValue } from '#contract/http/alert.ts'
import type { AlertId } from '#domain/ids.ts'

/** Which alert the route data means. All else about it is read again: anybody may have written the address. */
export function alertInRouteData(data: unknown): AlertId | undefined {
  const content = typeof data === 'string' ? parsed(data) : data
  const id = typeof content === 'object' && content !== null && 'id' in content ? Number(content.id) : Number.NaN
  return alertIdValue.safeParse(id).data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
