import { address } from '#console/router/addressText.ts'
import type { UserId } from '#domain/ids.ts'

/** The page of a user, which reads the user again by id (P2 §2, decisions: Addresses). */
export const userDetails = (id: UserId) => address('/users/user-details', { data: { id } })
