import { address } from '#console/router/addressText.ts'
import type { AlertId } from '#domain/ids.ts'

/** Where the details of one alert are (P2 §2). */
export const alertDetails = (id: AlertId) => address('/alerts/alert-details', { data: { id } })
