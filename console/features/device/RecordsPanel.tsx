import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Age } from '#console/ui/Age.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Records, useRecordPages } from './useRecordPages.ts'

interface Props<Row> {
  readonly title: string
  /** What its rows are, e.g. "reports". */
  readonly noun: string
  readonly filter: ReactNode
  // biome-ignore lint/suspicious/noExplicitAny: whichever call they come from
  readonly pages: ReturnType<typeof useRecordPages<any, Row>>
  readonly children: (records: Records<Row>) => ReactNode
}

/** Filter, table and the way to older rows, the same for raw data and messages. */
export function RecordsPanel<Row>({ title, noun, filter, pages, children }: Props<Row>) {
  const { result, readAt } = pages
  return (
    <Panel title={title} meta={<ReadAt at={readAt} isReading={result.isPlaceholderData} />}>
      <search className="records-filter" aria-label={title}>
        {filter}
      </search>
      <AsyncView
        query={result}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <EmptyNote title={`No ${noun} in this period`}>
            <p>Choose a longer period, or Reload for what has come since.</p>
          </EmptyNote>
        }
      >
        {(records) => (
          <>
            {children(records)}
            <footer className="records-foot">
              <span aria-live="polite">{countText(records, noun)}</span>
              {records.hasOlder && (
                <Button variant="default" loading={pages.isLoadingOlder} onClick={() => void pages.showOlder()}>
                  Older {noun}
                </Button>
              )}
            </footer>
          </>
        )}
      </AsyncView>
    </Panel>
  )
}

/** The table stands still, so it says how old it is. */
function ReadAt({ at, isReading }: { readonly at: Date | undefined; readonly isReading: boolean }) {
  if (isReading || !at) return 'Reading…'
  return (
    <>
      Read <Age at={at} />
    </>
  )
}

function countText<Row>({ rows, total, hasOlder }: Records<Row>, noun: string): string {
  if (!hasOlder) return `All ${rows.length} ${noun} of this period`
  return `Newest ${rows.length} of ${total ?? 'more than 10,000'} ${noun}`
}
