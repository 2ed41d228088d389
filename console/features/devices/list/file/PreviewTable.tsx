import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { useVirtualRows } from '#console/ui/table/useVirtualRows.ts'
import type { FilePreview } from '#contract/http/devices/deviceFiles.ts'

type Problem = FilePreview['problems'][number] & { readonly at: number }
type Row = FilePreview['rows'][number]

const PROBLEMS: readonly Column<Problem>[] = [
  { id: 'line', header: 'Line', widthPx: 70, isRight: true, cell: ({ line }) => line },
  { id: 'column', header: 'Column', widthPx: 130, cell: ({ column }) => column || 'Whole line' },
  { id: 'reason', header: 'What is wrong', cell: ({ reason }) => <span className="file-reason">{reason}</span> },
]

const STACKED_PROBLEM: StackedCell<Problem> = {
  header: 'What is wrong',
  cell: ({ line, column, reason }) => (
    <>
      <b>
        Line {line}, {column || 'whole line'}
      </b>
      <span className="file-reason">{reason}</span>
    </>
  ),
}

const KINDS = { added: 'Add', changed: 'Change', unchanged: 'Unchanged' } as const

const ROWS: readonly Column<Row>[] = [
  { id: 'line', header: 'Line', widthPx: 70, isRight: true, cell: ({ line }) => line },
  { id: 'kind', header: 'Does', widthPx: 100, cell: ({ kind }) => KINDS[kind] },
  { id: 'name', header: 'Name', isStrong: true, hasNoPage: true, cell: ({ name }) => name, title: ({ name }) => name },
  { id: 'customer', header: 'Customer', cell: ({ customerName }) => customerName },
  {
    id: 'changes',
    header: 'Columns',
    isDim: true,
    cell: ({ kind, changes }) => (kind === 'changed' ? changes.join(', ') : ''),
    title: ({ changes }) => changes.join(', '),
  },
]

/** While cells are wrong only those are shown: nothing else matters until they are right. */
export function PreviewTable({ preview: { rows, problems } }: { readonly preview: FilePreview }) {
  if (problems.length > 0)
    return (
      <div className="file-preview">
        <DataTable
          label="Wrong cells"
          columns={PROBLEMS}
          stacked={STACKED_PROBLEM}
          rows={problems.map((problem, at) => ({ ...problem, at }))}
          rowKey={({ at }) => at}
        />
      </div>
    )
  return (
    <div className="file-preview">
      <DataTable
        label="Devices of the file"
        columns={ROWS}
        rows={rows}
        rowKey={({ line }) => line}
        useDrawnRows={useVirtualRows}
      />
    </div>
  )
}
