import type { ButtonRule } from '../displays/buttonRules.ts'

/** A port of a relay can be switched and reset, or only be reset (rules/commands 9). */
export const PORT_MODES = ['FULL', 'RESET'] as const
export type PortMode = (typeof PORT_MODES)[number]

/** A component of a device as an operator edits it (rules/components 10). */
export interface EditedComponent {
  /** A component that is not saved yet has 0 or a negative id. */
  readonly id: number
  readonly modelId: number
  readonly number: number
  readonly label: string
  readonly labelReset: string
  readonly labelPort1: string
  readonly labelPort2: string
  readonly optionPort1: PortMode | ''
  readonly optionPort2: PortMode | ''
  /** The number of the ambient sensor of a display; null for none, undefined when not chosen yet. */
  readonly als: number | null | undefined
  /** The number of the touch screen of a display; null for none, undefined when not chosen yet. */
  readonly touchMatrix: number | null | undefined
  readonly jsonSettings: readonly ButtonRule[] | null
  /** True when somebody has confirmed that it will report, though it never has; absent leaves it unchanged. */
  readonly isExpected?: boolean | undefined
  /** The ports 1 and 2 of a network switch that nothing is plugged into; absent leaves them unchanged. */
  readonly unusedPorts?: readonly number[] | undefined
  /** What the maker calls the batch of a display; absent leaves it unchanged. */
  readonly batch?: string | undefined
  /** The day on which the panel was put in, null where unknown; absent leaves it unchanged. */
  readonly installedOn?: string | null | undefined
  readonly removed: boolean
}

/** An operator sees this instead of a save; the title is above the text (rules/components 9). */
export interface ComponentProblem {
  readonly title: string
  readonly text: string
}
