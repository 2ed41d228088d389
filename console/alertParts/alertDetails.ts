import { address } from '#console/router/addressText.ts'
import type { AlertId } from '#domain/ids.ts'

/**
 * Where the details of one alert are (P2 §2).
 *
 * @param at one of the times at which it was active; absent: the latest
 */
export const alertDetails = (id: AlertId, at?: string) => address('/alerts/alert-details', { data: { id }, at })
