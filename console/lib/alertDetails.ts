import type { AlertId } from '#domain/ids.ts'

/** Where the details of one alert are (P2 §2), as the properties of a link. */
export const alertDetailsLink = (id: AlertId) =>
  ({ to: '/alerts/alert-details', search: { data: { id } } as never }) as const
