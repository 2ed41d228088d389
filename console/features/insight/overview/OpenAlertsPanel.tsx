import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import type { OpenedAlertRow } from '#contract/http/insight/overview.ts'
import { CONDITION_STATE, type ConditionStateId } from '#domain/alerts/alertLabels.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { HeldNote } from './HeldNote.tsx'
import { rowsWith, type TableResult } from './useOverview.ts'

interface Props {
  readonly opened: TableResult
  readonly customerId: CustomerId | undefined
}

/** Each condition counts the devices where it is active and where it is resolved (rules/overview 6). */
export function OpenAlertsPanel({ opened, customerId }: Props) {
  return (
    <Panel
      title="Open alerts"
      meta={
        <>
          <HeldNote query={opened} />
          <Link to={address('/alerts', { filter: 'opened', customerId })} className="panel-link">
            All open alerts
          </Link>
        </>
      }
    >
      <div className="overview-table">
        <AsyncView
          query={opened}
          skeleton={<Skeleton lines={4} />}
          isEmpty={(rows) => rows.length === 0}
          empty="No open alerts"
        >
          {(rows) => (
            <DataTable
              label="Open alerts"
              columns={columnsOf(customerId)}
              rows={rowsWith(rows, 'count_devices')}
              rowKey={({ condition_field, condition_text }) => `${condition_field} ${condition_text}`}
            />
          )}
        </AsyncView>
      </div>
    </Panel>
  )
}

function columnsOf(
  customerId: CustomerId | undefined,
): readonly Column<OpenedAlertRow, 'condition' | 'active' | 'resolved'>[] {
  const inState = (conditionStateId: ConditionStateId, { condition_text: alertText }: OpenedAlertRow) =>
    address('/alerts', { filter: 'opened', alertText, conditionStateId, customerId })
  return [
    {
      id: 'condition',
      header: 'Condition',
      cell: ({ title, condition_text }) => (
        <Link
          to={address('/alerts', { filter: 'opened', alertText: condition_text, customerId })}
          className="opened-condition"
        >
          <span>{title}</span>
        </Link>
      ),
      title: ({ title, condition_text }) => `${title}: ${condition_text}`,
    },
    {
      id: 'active',
      header: 'Active',
      widthPx: 64,
      isRight: true,
      isStrong: true,
      cell: (row) =>
        row.count_active > 0 ? (
          <Link to={inState(CONDITION_STATE.active, row)} aria-label={`${row.count_active} active: ${row.title}`}>
            {formatNumber(row.count_active)}
          </Link>
        ) : (
          <span className="dim">0</span>
        ),
    },
    {
      id: 'resolved',
      header: 'Resolved',
      widthPx: 84,
      isRight: true,
      isDim: true,
      cell: (row) =>
        row.count_over > 0 ? (
          <Link to={inState(CONDITION_STATE.notActive, row)} aria-label={`${row.count_over} resolved: ${row.title}`}>
            {formatNumber(row.count_over)}
          </Link>
        ) : (
          '0'
        ),
    },
  ]
}
