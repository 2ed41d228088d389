import { address } from '#console/router/addressText.ts'
import type { AlertId } from '#domain/ids.ts'

/**
 * The address of the details of one alert (rules/addresses 8).
 *
 * @param at a time at which it was active; the latest such time if absent
 */
export const alertDetails = (id: AlertId, at?: string) => address('/alerts/alert-details', { data: { id }, at })
