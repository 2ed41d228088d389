import type { AlertId } from '#domain/ids.ts'

/** These actions need an input first. */
export type Step = 'assign' | 'note' | 'snooze' | 'merge' | readonly AlertId[]

/** The buttons and the palette share these actions on an incident. */
export interface IncidentDoing {
  readonly isBusy: boolean
  readonly isYours: boolean
  readonly isSnoozed: boolean
  readonly take: () => void
  /** null ends the snooze. */
  readonly snooze: (until: Date | null) => void
  /** It reads which alerts are open, and asks how they were resolved. */
  readonly close: () => void
  readonly begin: (step: Exclude<Step, readonly AlertId[]>) => void
}
