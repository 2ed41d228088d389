import { address } from '#console/router/addressText.ts'
import type { UserId } from '#domain/ids.ts'

/** The page reads the user again by id (rules/addresses 8). */
export const userDetails = (id: UserId) => address('/users/user-details', { data: { id } })
