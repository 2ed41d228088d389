import type { DarknessAction } from '../darkness/actions.ts'
import type { Finding } from '../darkness/links.ts'

export const STEP_KINDS = ['setup', 'visit', 'chart'] as const

/** What is recommended, as the words of one button: a control of the Setup tab, a visit, or the chart of a value. */
export interface RecommendedStep {
  readonly kind: (typeof STEP_KINDS)[number]
  readonly label: string
  /** The control, or the section, of the Setup tab; null for the others. */
  readonly control: string | null
}

interface Help {
  readonly finding: Finding
  readonly action: {
    readonly kind: DarknessAction['kind']
    readonly section?: string | null
    readonly control?: string | null
  } | null
}

const TURNED_ON: Readonly<Record<string, string>> = {
  'Power switches': 'Turn switch on',
  Relays: 'Turn relay on',
  'Routers with relay': 'Turn router on',
}

/** Returns the step as the words of a button; null when nothing can be done. */
export function recommendedStep({ finding, action }: Help): RecommendedStep | null {
  if (action === null) return null
  const control = action.control ?? action.section
  if (!control || action.kind === 'sendSomebody') return { kind: 'visit', label: 'Plan a visit', control: null }
  return { kind: 'setup', label: labelOf(finding, action.section ?? ''), control }
}

function labelOf(finding: Finding, section: string): string {
  switch (finding) {
    case 'outletOff':
    case 'routerOff':
      return TURNED_ON[section] ?? 'Turn on'
    case 'switchedOff':
    case 'backlightOff':
      return 'Turn display on'
    case 'upsNoOutput':
      return 'Reboot UPS'
    case 'sourceLost':
    case 'outOfOrder':
    case 'answersLate':
    case 'answersNever':
      return 'Restart computer'
    case 'displayUnreachable':
    case 'backlightDead':
    case 'displayRefuses':
      return 'Restart display'
    case 'networkDown':
      return 'Restart network'
    default:
      return 'Open setup'
  }
}
