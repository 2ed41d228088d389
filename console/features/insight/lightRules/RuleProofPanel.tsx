import type { ReactNode } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { getLightRuleProof, type LightRuleProof, type LightRuleSetRow } from '#contract/http/insight/lightRules.ts'
import { clockText } from '#domain/statement/statementText.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { RULE_PROOF_COLUMNS, ruleProofRows } from './ruleProofCsv.ts'

type Row = LightRuleProof['devices'][number]

interface Props {
  readonly row: LightRuleSetRow
  readonly month: string
  readonly monthPicker: ReactNode
}

const minutes = (id: 'due' | 'kept' | 'broken' | 'unknown', header: string): Column<Row> => ({
  ...{ id, header, widthPx: 100, isRight: true, cell: (row) => clockText(row[id]) },
})

/** The timeline of the day has the readings that say so. */
const evidenceOf = ({ guid, brokenAt }: Row) =>
  brokenAt === null
    ? undefined
    : address('/devices/$guid/status', {
        ...{ guid, view: 'timeline', dateFrom: brokenAt },
        dateTo: new Date(Date.parse(brokenAt) + DAY_MS / 4).toISOString(),
      })

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: ({ name }) => name,
    to: ({ guid }) => address('/devices/$guid/status', { guid }),
    title: ({ name, address: at, timeZone }) => [name, at, timeZone].filter(Boolean).join(', '),
  },
  { ...minutes('due', 'Due'), leaves: 1 },
  { ...minutes('kept', 'Kept'), leaves: 3 },
  { ...minutes('broken', 'Too bright'), isStrong: true, hasNoPage: true },
  { ...minutes('unknown', 'Unknown'), leaves: 4 },
  {
    ...{ id: 'evidence', header: 'First time', widthPx: 130, leaves: 2 },
    cell: (row) => {
      const to = evidenceOf(row)
      return to && row.brokenAt ? <Link to={to}>{formatMinute(row.brokenAt)}</Link> : null
    },
  },
]

/** What came of a rule set in a month; unknown time is never counted as kept. */
export function RuleProofPanel({ row, month, monthPicker }: Props) {
  const proof = useCall(getLightRuleProof, { id: row.id, month }, { keepsPrevious: true })
  return (
    <Panel
      title="Monthly proof"
      meta={
        <span className="light-rules-meta">
          <span className="light-rules-set">{row.set.name}</span>
          {monthPicker}
          {proof.data && (
            <ListExportMenu
              name={`lightRule_${row.id}_${month}`}
              label="light rule proof"
              columns={RULE_PROOF_COLUMNS}
              batches={() => ruleProofRows(row, month, proof.data as LightRuleProof)}
            />
          )}
        </span>
      }
    >
      <AsyncView
        query={proof}
        isEmpty={({ devices }) => devices.length === 0}
        empty={
          <p className="light-rules-note">
            No day of this month is counted yet. Days are counted soon after they are over.
          </p>
        }
      >
        {({ total, devices }) => (
          <>
            <p className="light-rules-note">
              Due {clockText(total.due)} h: kept {clockText(total.kept)}, too bright {clockText(total.broken)}, unknown{' '}
              {clockText(total.unknown)}, maintenance {clockText(total.maintenance)}. Rules that depend on ambient light
              are held against the settings only.
            </p>
            <DataTable label="Proof by device" columns={COLUMNS} rows={devices} rowKey={({ deviceId }) => deviceId} />
          </>
        )}
      </AsyncView>
    </Panel>
  )
}
