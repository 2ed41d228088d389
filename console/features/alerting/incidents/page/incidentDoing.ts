import type { AlertId } from '#domain/ids.ts'

export type Step = 'assign' | 'note' | 'snooze' | 'merge' | readonly AlertId[]

export interface IncidentDoing {
  readonly isBusy: boolean
  readonly isYours: boolean
  readonly isSnoozed: boolean
  readonly take: () => void
  /** null ends the snooze. */
  readonly snooze: (until: Date | null) => void
  readonly close: () => void
  readonly canSplit: boolean
  readonly split: () => void
  readonly begin: (step: Exclude<Step, readonly AlertId[]>) => void
}
