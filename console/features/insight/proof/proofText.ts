import type { CsvColumn } from '#console/lib/csv.ts'
import type { BadgeLook } from '#console/ui/Badge.tsx'
import type { ProvedRow, SignedProof } from '#contract/http/insight/lightProofs.ts'

export const VERDICTS: Readonly<
  Record<ProvedRow['verdict'], { readonly name: string; readonly tone: BadgeLook['tone'] }>
> = {
  lit: { name: 'Lit', tone: 'ok' },
  partlyLit: { name: 'Partly lit', tone: 'warn' },
  dark: { name: 'Dark', tone: 'crit' },
  unknown: { name: 'Unknown', tone: 'off' },
}

const EVIDENCE: Readonly<Record<ProvedRow['evidence'], string>> = {
  panelLight: 'Measured at the panel',
  backlight: 'Reported backlight',
  both: 'Measured and reported',
  none: 'None',
}

export const CERTAINTY: Readonly<Record<ProvedRow['certainty'], string>> = {
  ...{ high: 'High', medium: 'Medium', low: 'Low', none: 'None' },
}

const REASONS: Readonly<Record<NonNullable<ProvedRow['reason']>, string>> = {
  noDevice: 'No such device at that time',
  noDisplay: 'No such display',
  notOver: 'Not over yet',
}

/** What it was known by, or why nothing is. */
export const evidenceText = ({ evidence, reason }: ProvedRow): string => (reason ? REASONS[reason] : EVIDENCE[evidence])

export interface ShownPlay extends ProvedRow {
  readonly at: number
  /** The name of the device; what was given where there is none. */
  readonly deviceName: string
}

export function shownPlays({ devices, plays }: SignedProof['proof']): readonly ShownPlay[] {
  const names = new Map(devices.map(({ guid, name }) => [guid as string, name]))
  return plays.map((play, at) => ({ ...play, at, deviceName: names.get(play.device) ?? play.device }))
}

export const PROOF_CSV_COLUMNS: readonly CsvColumn<ShownPlay>[] = [
  { header: 'Play', cell: ({ play }) => play },
  { header: 'Device', cell: ({ deviceName }) => deviceName },
  { header: 'Guid', cell: ({ device }) => device },
  { header: 'Display', cell: ({ display }) => display },
  { header: 'From', cell: ({ from }) => from },
  { header: 'To', cell: ({ to }) => to },
  { header: 'Verdict', cell: ({ verdict }) => VERDICTS[verdict].name },
  { header: 'Certainty', cell: ({ certainty }) => CERTAINTY[certainty] },
  { header: 'Evidence', cell: evidenceText },
  { header: 'Lit (s)', cell: ({ lit }) => lit },
  { header: 'Dark (s)', cell: ({ dark }) => dark },
  { header: 'Unknown (s)', cell: ({ unknown }) => unknown },
  { header: 'Measured (s)', cell: ({ measured }) => measured },
]
