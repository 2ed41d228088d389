import type { CsvColumn } from '#console/lib/csv.ts'
import type { Light } from '#contract/http/insight/darkMinutes.ts'
import { availabilityCut } from '#domain/darkness/minutes/lightLabels.ts'

interface LightPart {
  readonly kind: 'lit' | 'litInOffTime' | 'planned' | 'maintenance' | 'unknown' | 'unplanned'
  readonly name: string
  /** It is null where this kind is not distinguished from light that was due. */
  readonly minutes: (light: Light) => number | null
}

export const LIGHT_PARTS: readonly LightPart[] = [
  { kind: 'lit', name: 'Lit', minutes: ({ litMinutes }) => litMinutes },
  { kind: 'litInOffTime', name: 'Lit in off times', minutes: ({ litInOffTimesMinutes }) => litInOffTimesMinutes },
  { kind: 'planned', name: 'Planned dark', minutes: ({ plannedDarkMinutes }) => plannedDarkMinutes },
  { kind: 'maintenance', name: 'Maintenance', minutes: ({ maintenanceMinutes }) => maintenanceMinutes },
  { kind: 'unknown', name: 'Unknown', minutes: ({ unknownMinutes }) => unknownMinutes },
  { kind: 'unplanned', name: 'Unplanned dark', minutes: ({ unplannedDarkMinutes }) => unplannedDarkMinutes },
]

const allMinutes = (light: Light): number => LIGHT_PARTS.reduce((sum, { minutes }) => sum + (minutes(light) ?? 0), 0)

/** The share is rounded up (`12 %`), so that the unknown part is never shown smaller than it is. */
export function unknownShare(light: Light): string {
  const all = allMinutes(light)
  const percent = all === 0 ? 0 : (100 * light.unknownMinutes) / all
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.ceil(percent)} %`
}

export const LIGHT_CSV_COLUMNS: readonly CsvColumn<Light>[] = [
  ...LIGHT_PARTS.map(({ name, minutes }): CsvColumn<Light> => ({ header: `${name} (min)`, cell: minutes })),
  {
    header: 'Availability (%)',
    cell: ({ availabilityPercent }) => (availabilityPercent === null ? null : availabilityCut(availabilityPercent)),
  },
]

export const PERIOD_LIGHT_CSV_COLUMNS: readonly CsvColumn<Light & { readonly notToldApartBefore: string | null }>[] = [
  ...LIGHT_CSV_COLUMNS,
  { header: 'Lit in off times not counted separately before', cell: ({ notToldApartBefore }) => notToldApartBefore },
]
