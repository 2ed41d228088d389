import { address } from '#console/router/addressText.ts'
import type { IncidentId } from '#domain/ids.ts'

export const incidentPage = (id: IncidentId) => address('/incidents/incident', { data: { id } })
