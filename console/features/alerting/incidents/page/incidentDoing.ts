import type { AlertId } from '#domain/ids.ts'

/** What asks for something first. */
export type Step = 'assign' | 'note' | 'snooze' | 'merge' | readonly AlertId[]

/** What can be done about an incident, by button and by palette. */
export interface IncidentDoing {
  readonly isBusy: boolean
  readonly isYours: boolean
  readonly isSnoozed: boolean
  readonly take: () => void
  /** null: not any more. */
  readonly snooze: (until: Date | null) => void
  /** Reads which alerts are open, and asks how they were resolved. */
  readonly close: () => void
  readonly begin: (step: Exclude<Step, readonly AlertId[]>) => void
}
