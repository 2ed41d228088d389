import { readAs } from '#console/lib/plainContract.ts'
import { idInRouteData } from '#console/lib/routeData.ts'
import { userIdValue } from '#contract/http/values.ts'
import type { UserId } from '#domain/ids.ts'

/** The way to the page of a user, which reads the user again by id (P2 §2, decisions: Addresses). */
export const userDetails = (id: UserId) => ({ to: '/users/user-details', search: { data: { id } } as never }) as const

/** Which user the route data means. */
export function userInRouteData(data: unknown): UserId | undefined {
  return readAs(userIdValue, idInRouteData(data))
}
