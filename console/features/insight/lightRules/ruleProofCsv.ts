import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import type { LightRuleProof, LightRuleSetRow } from '#contract/http/insight/lightRules.ts'

type Row = LightRuleProof['devices'][number] & {
  readonly month: string
  readonly ruleSet: string
  readonly source: string
}

/** The file has a line a device, in minutes, so that the parts add up to what was due. */
export const RULE_PROOF_COLUMNS: readonly CsvColumn<Row>[] = [
  { header: 'Rule set', cell: ({ ruleSet }) => ruleSet },
  { header: 'Source', cell: ({ source }) => source },
  { header: 'Month', cell: ({ month }) => month },
  { header: 'Device', cell: ({ name }) => name },
  { header: 'Guid', cell: ({ guid }) => guid },
  { header: 'Address', cell: ({ address }) => address },
  { header: 'Time zone', cell: ({ timeZone }) => timeZone },
  { header: 'Counted days', cell: ({ days }) => days },
  { header: 'Due (min)', cell: ({ due }) => due },
  { header: 'Kept (min)', cell: ({ kept }) => kept },
  { header: 'Kept by emergency dark (min)', cell: ({ emergency }) => emergency },
  { header: 'Too bright (min)', cell: ({ broken }) => broken },
  { header: 'Unknown (min)', cell: ({ unknown }) => unknown },
  { header: 'Maintenance (min)', cell: ({ maintenance }) => maintenance },
  { header: 'First too bright (UTC)', cell: ({ brokenAt }) => brokenAt },
]

export const ruleProofRows = ({ set }: LightRuleSetRow, month: string, { devices }: LightRuleProof) =>
  oneBatch(devices.map((device): Row => ({ ...device, month, ruleSet: set.name, source: set.source })))
