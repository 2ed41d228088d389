import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import type { OpenedAlertRow } from '#contract/http/dashboard.ts'
import type { CustomerId } from '#domain/ids.ts'
import { HeldNote } from './HeldNote.tsx'
import { rowsWith, type TableResult } from './useOverview.ts'

interface Props {
  readonly opened: TableResult
  readonly customerId: CustomerId | undefined
}

/** Conditions that have Opened alerts, and on how many devices; all of it opens the list of them (P1 §2). */
export function OpenAlertsPanel({ opened, customerId }: Props) {
  const columns: readonly Column<OpenedAlertRow, 'condition' | 'devices'>[] = [
    {
      id: 'condition',
      header: 'Condition',
      cell: ({ condition_text }) => (
        <Link
          to={address('/alerts', { filter: 'opened', alertText: condition_text, customerId })}
          className="opened-condition"
        >
          <IconAlertTriangleFilled size={13} aria-hidden />
          <span>{condition_text}</span>
        </Link>
      ),
      title: ({ condition_text }) => condition_text,
    },
    { id: 'devices', header: 'Devices', widthPx: 84, isRight: true, isStrong: true, cell: (row) => row.count_devices },
  ]
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
      <div className="overview-table overview-opened">
        <AsyncView query={opened} skeleton={<Skeleton lines={10} />} isEmpty={(rows) => rows.length === 0}>
          {(rows) => (
            <DataTable
              label="Open alerts"
              columns={columns}
              rows={rowsWith(rows, 'count_devices')}
              rowKey={({ condition_field, condition_text }) => `${condition_field} ${condition_text}`}
            />
          )}
        </AsyncView>
      </div>
    </Panel>
  )
}
