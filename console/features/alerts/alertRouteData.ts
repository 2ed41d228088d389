import { readAs } from '#console/lib/plainContract.ts'
import { idInRouteData } from '#console/lib/routeData.ts'
import { alertIdValue } from '#contract/http/alert.ts'
import type { AlertId } from '#domain/ids.ts'

/** Which alert the route data means. */
export function alertInRouteData(data: unknown): AlertId | undefined {
  return readAs(alertIdValue, idInRouteData(data))
}
