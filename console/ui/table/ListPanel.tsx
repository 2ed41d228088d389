import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FilterBar } from '#console/ui/filter/FilterBar.tsx'
import type { Filters } from '#console/ui/filter/filters.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Pager } from './Pager.tsx'

interface ShownList<Row> {
  readonly result: UseQueryResult<unknown, CallFailed>
  readonly rows: readonly Row[]
  readonly page: number
  readonly firstRow: number
  readonly total: number | null | undefined
  readonly isPaged: boolean
  readonly isFiltered: boolean
  readonly filterCount: number
  readonly isReloading: boolean
  readonly reloadNow: () => Promise<void>
  readonly reset: () => void
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly print: { readonly start: (() => Promise<void>) | undefined; readonly isReading: boolean }
}

export type Noun = readonly [one: string, many: string]

interface ListPanelProps<Row> {
  readonly title?: string | undefined
  readonly list: ShownList<Row>
  readonly noun: Noun
  readonly empty: ReactNode
  /** A node alone is the row. */
  readonly filter?: Filters | ReactNode
  readonly above?: ReactNode
  /** The settings menu of the list, where no header has it. */
  readonly menu?: ReactNode
  /** It stands beside the pages. */
  readonly foot?: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** Every list has its filter, rows and pages here, so loading, empty and failed look the same in all of them. */
export function ListPanel<Row>({ title, list, noun, empty, filter, above, menu, foot, children }: ListPanelProps<Row>) {
  const { result, rows, reset } = list
  return (
    <Panel title={title}>
      {filter && (
        <FilterBar
          {...filtersOf(filter)}
          onReload={() => void list.reloadNow()}
          onReset={reset}
          isLoading={list.isReloading}
          chosenCount={list.filterCount}
          menu={menu}
        />
      )}
      {above}
      <AsyncView
        query={result}
        isEmpty={() => rows.length === 0}
        empty={<NoRows list={list} noun={noun} otherwise={empty} />}
      >
        {() => children(rows)}
      </AsyncView>
      {list.isPaged && (rows.length > 0 || list.onPrevious) && (
        <Pager
          firstRow={list.firstRow}
          shownCount={rows.length}
          total={list.total}
          onPrevious={list.onPrevious}
          onNext={list.onNext}
          onPrint={list.print.start && (() => void list.print.start?.())}
          isPrintRead={list.print.isReading}
        >
          {foot}
        </Pager>
      )}
    </Panel>
  )
}

const filtersOf = (filter: Filters | ReactNode): Filters =>
  typeof filter === 'object' && filter !== null && 'primary' in filter ? filter : { primary: [filter] }

interface NoRowsProps<Row> {
  readonly list: ShownList<Row>
  readonly noun: Noun
  readonly otherwise: ReactNode
}

function NoRows<Row>({ list: { page, isFiltered, reset }, noun: [one, many], otherwise }: NoRowsProps<Row>) {
  if (page > 1) return <EmptyNote title={`There are no ${many} on this page`} />
  if (!isFiltered) return typeof otherwise === 'string' ? <EmptyNote title={otherwise} /> : otherwise
  return (
    <EmptyNote title={`No ${one} matches this filter`}>
      <Button variant="default" onClick={reset}>
        Reset the filter
      </Button>
    </EmptyNote>
  )
}
