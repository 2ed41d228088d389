import { type ReactNode, useEffect, useRef } from 'react'
import { BusyButton } from '#console/features/devices/status/view/BusyButton.tsx'
import { Age } from '#console/ui/Age.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { formatNumber } from '#domain/units/numbers.ts'
import type { Records, useRecordPages } from './useRecordPages.ts'

interface Props<Row> {
  readonly title: string
  readonly noun: 'reports' | 'messages'
  readonly filter: ReactNode
  /** It replaces the empty note where the period is not the only filter. */
  readonly empty?: ReactNode
  // biome-ignore lint/suspicious/noExplicitAny: whichever call they come from
  readonly pages: ReturnType<typeof useRecordPages<any, Row>>
  readonly children: (records: Records<Row>) => ReactNode
}

/** Raw data and messages share filter, table and paging. */
export function RecordsPanel<Row>({ title, noun, filter, empty, pages, children }: Props<Row>) {
  const { result, readAt } = pages
  const hasFailed = result.isError && result.data === undefined
  return (
    <Panel title={title} meta={hasFailed ? undefined : <ReadAt at={readAt} isReading={result.isPlaceholderData} />}>
      <search className="records-filter" aria-label={title}>
        {filter}
      </search>
      <AsyncView
        query={result}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          empty ?? (
            <EmptyNote title={`No ${noun} in this period`}>
              <p>Choose a longer period, or Reload for what has come since.</p>
            </EmptyNote>
          )
        }
      >
        {(records) => (
          <>
            {children(records)}
            <RecordsFoot records={records} noun={noun} pages={pages} />
          </>
        )}
      </AsyncView>
    </Panel>
  )
}

interface FootProps<Row> extends Pick<Props<Row>, 'noun' | 'pages'> {
  readonly records: Records<Row>
}

function RecordsFoot<Row>({ records, noun, pages }: FootProps<Row>) {
  const foot = useRef<HTMLElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    // The button that was pressed disappears with the last page, so the keyboard goes on from its place.
    if (wasPressed.current && !records.hasOlder) foot.current?.focus({ preventScroll: true })
    wasPressed.current = false
  }, [records])
  return (
    <footer className="records-foot" tabIndex={-1} ref={foot}>
      <span aria-live="polite">{countText(records, noun)}</span>
      {records.hasOlder && (
        <BusyButton
          isBusy={pages.isLoadingOlder}
          onClick={() => {
            wasPressed.current = true
            void pages.showOlder()
          }}
        >
          Older {noun}
        </BusyButton>
      )}
    </footer>
  )
}

/** The table does not refresh, so it says how old it is. */
function ReadAt({ at, isReading }: { readonly at: Date | undefined; readonly isReading: boolean }) {
  if (isReading || !at) return 'Reading…'
  return (
    <>
      Read <Age at={at} />
    </>
  )
}

function countText<Row>({ rows, total, hasOlder }: Records<Row>, noun: string): string {
  if (!hasOlder && rows.length === 1) return `The only ${noun.slice(0, -1)} of this period`
  const shown = formatNumber(rows.length)
  if (!hasOlder) return `All ${shown} ${noun} of this period`
  return `Newest ${shown} of ${total === null ? 'more than 10,000' : formatNumber(total)} ${noun}`
}
