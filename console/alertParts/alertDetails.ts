import { address } from '#console/router/addressText.ts'
import type { AlertId } from '#domain/ids.ts'

/**
 * The address of the details of one alert (rules/addresses 8).
 *
 * @param at one of the times at which it was active; absent: the latest
 */
export const alertDetails = (id: AlertId, at?: string) => address('/alerts/alert-details', { data: { id }, at })
