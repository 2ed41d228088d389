import type { ButtonRule } from '../displays/buttonRules.ts'

/** What a port of a relay can do: be switched and reset, or only be reset (rules/commands 9). */
export const PORT_MODES = ['FULL', 'RESET'] as const
export type PortMode = (typeof PORT_MODES)[number]

/** A component of a device as an operator edits it (rules/components 10). */
export interface EditedComponent {
  /** 0 or negative: not saved yet. */
  readonly id: number
  readonly modelId: number
  readonly number: number
  readonly label: string
  readonly labelReset: string
  readonly labelPort1: string
  readonly labelPort2: string
  readonly optionPort1: PortMode | ''
  readonly optionPort2: PortMode | ''
  /** Number of the ambient sensor of a display; null: none, undefined: not chosen yet. */
  readonly als: number | null | undefined
  /** Number of the touch screen of a display; null: none, undefined: not chosen yet. */
  readonly touchMatrix: number | null | undefined
  readonly jsonSettings: readonly ButtonRule[] | null
  /** Somebody has said that it will report, though it never has; absent: as it was. */
  readonly isExpected?: boolean | undefined
  /** Of a network switch: its own ports, 1 and 2, that nothing is plugged into; absent: as they were. */
  readonly unusedPorts?: readonly number[] | undefined
  readonly removed: boolean
}

/** What an operator is told instead of a save; the title stands above the text (rules/components 9). */
export interface ComponentProblem {
  readonly title: string
  readonly text: string
}
