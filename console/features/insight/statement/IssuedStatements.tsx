import { IconFileTypePdf } from '@tabler/icons-react'
import { download } from '#console/lib/call/download.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { downloadLightStatement, type IssuedHead, listLightStatements } from '#contract/http/insight/lightStatements.ts'
import type { CustomerId } from '#domain/ids.ts'
import { monthText } from '#domain/statement/statementText.ts'

const COLUMNS: readonly Column<IssuedHead>[] = [
  {
    id: 'number',
    header: 'Number',
    widthPx: 110,
    isStrong: true,
    cell: ({ number }) => number,
    to: ({ customerId, id, month }) => address('/light-statements', { customerId, month, shown: id }),
  },
  { ...textColumn('month', 'Month', ({ month }: IssuedHead) => monthText(month)), widthPx: 140 },
  textColumn('subject', 'Devices', ({ subject }: IssuedHead) => subject, { isDim: true }),
  {
    ...{ id: 'issuedAt', header: 'Issued', widthPx: 130, leaves: 2 },
    cell: ({ issuedAt }) => formatMinute(issuedAt),
  },
  { ...textColumn('issuedBy', 'By', ({ issuedBy }: IssuedHead) => issuedBy, { isDim: true }), leaves: 1 },
  {
    ...{ id: 'correction', header: 'Correction', widthPx: 170 },
    cell: ({ corrects, correctedBy }) =>
      [...(corrects ? [`corrects ${corrects}`] : []), ...(correctedBy ? [`corrected by ${correctedBy}`] : [])].join(
        ', ',
      ),
  },
  {
    ...{ id: 'document', header: 'Document', widthPx: 60, hidesHeader: true },
    cell: ({ id, number, month }) => (
      <IconButton
        icon={IconFileTypePdf}
        tip={`Download ${number} (PDF)`}
        onClick={() =>
          void download(downloadLightStatement, { query: { id } }, `${number} ${month}.pdf`).catch(toasts.failure)
        }
      />
    ),
  },
]

export function IssuedStatements({ customerId }: { readonly customerId: CustomerId }) {
  const issued = useCall(listLightStatements, { customerId }, { keepsPrevious: true })
  return (
    <Panel title="Issued statements">
      <AsyncView
        query={issued}
        empty={
          <EmptyNote title="No statement was issued yet">
            <p>When a month is over, a staff admin can issue a statement. It gets a number and stays as it is.</p>
          </EmptyNote>
        }
      >
        {(rows) => <DataTable label="Issued statements" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
      </AsyncView>
    </Panel>
  )
}
