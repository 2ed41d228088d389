import type { DarkDay } from '#contract/http/darkMinutes.ts'

/** Kinds of minutes as they are stacked, from the bottom up. */
export const LIGHT_PARTS = [
  { kind: 'lit', name: 'Lit', minutes: (day: DarkDay) => day.litMinutes },
  { kind: 'planned', name: 'Planned dark', minutes: (day: DarkDay) => day.plannedDarkMinutes },
  { kind: 'unknown', name: 'Unknown', minutes: (day: DarkDay) => day.unknownMinutes },
  { kind: 'unplanned', name: 'Unplanned dark', minutes: (day: DarkDay) => day.unplannedDarkMinutes },
] as const
