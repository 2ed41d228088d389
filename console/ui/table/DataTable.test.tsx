import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Profiler } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { type Column, DataTable, type Sort } from './DataTable.tsx'

interface Place {
  readonly id: number
  readonly name: string
}
const PLACES: readonly Place[] = ['Praha', 'Brno', 'Linz', 'Kraków'].map((name, id) => ({ id, name }))
const COLUMNS: readonly Column<Place>[] = [
  { id: 'name', header: 'Name', isSortable: true, cell: ({ name }) => name },
  { id: 'actions', header: 'Actions', hidesHeader: true, cell: () => <button type="button">Details</button> },
]

function setup(more: { readonly sort?: Sort; readonly opensOnClick?: boolean } = {}) {
  const opened: string[] = []
  const sorted: Sort[] = []
  const view = renderPiece(
    <main>
      <DataTable
        label="Places"
        columns={COLUMNS}
        rows={PLACES}
        rowKey={({ id }) => id}
        onOpen={({ name }) => opened.push(name)}
        onSort={(sort) => sorted.push(sort)}
        {...more}
      />
    </main>,
  )
  return { ...view, opened, sorted, user: userEvent.setup() }
}
const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) })

test('axe finds nothing wrong with a table', async () => {
  const { container } = setup({ sort: { id: 'name', descending: true } })
  expect(await axeFindings(container)).toEqual([])
})

test('a double-click opens a row, a click only where rows open by click', async () => {
  const { opened, user, unmount } = setup()
  await user.click(screen.getByText('Brno'))
  expect(opened).toEqual([])
  await user.dblClick(screen.getByText('Brno'))
  expect(opened).toEqual(['Brno'])
  unmount()
  const clicking = setup({ opensOnClick: true })
  await clicking.user.click(screen.getByText('Linz'))
  expect(clicking.opened).toEqual(['Linz'])
})

test('a button in a row does its own thing only', async () => {
  const { opened, user } = setup({ opensOnClick: true })
  await user.dblClick(screen.getAllByRole('button', { name: 'Details' })[0] as HTMLElement)
  expect(opened).toEqual([])
})

test('arrows, Home and End walk the rows, Enter opens the one with the focus', async () => {
  const { opened, user } = setup()
  row('Praha').focus()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(row('Linz')).toHaveFocus()
  await user.keyboard('{End}{ArrowDown}')
  expect(row('Kraków')).toHaveFocus()
  await user.keyboard('{Home}{ArrowUp}{Enter}')
  expect(row('Praha')).toHaveFocus()
  expect(opened).toEqual(['Praha'])
})

test('the Tab key stops at one row only', () => {
  setup()
  expect(PLACES.map(({ name }) => row(name).tabIndex)).toEqual([0, -1, -1, -1])
})

test('a click on a heading sorts ascending first, then descending', async () => {
  const first = setup()
  await first.user.click(screen.getByRole('button', { name: 'Name' }))
  expect(first.sorted).toEqual([{ id: 'name', descending: false }])
  first.unmount()
  const second = setup({ sort: { id: 'name', descending: false } })
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await second.user.click(screen.getByRole('button', { name: 'Name' }))
  expect(second.sorted).toEqual([{ id: 'name', descending: true }])
})

/** happy-dom lays nothing out, so every element gets this width. */
function drawnIn(widthPx: number) {
  const drawn = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(widthPx)
  onTestFinished(() => drawn.mockRestore())
}

test('a container without room for the columns shows a row as one cell, beside what stays', () => {
  drawnIn(300)
  const [name, actions] = COLUMNS as readonly [Column<Place>, Column<Place>]
  renderPiece(
    <DataTable
      label="Places"
      columns={[name, { id: 'number', header: 'Number', cell: ({ id }) => id }, { ...actions, staysWhenStacked: true }]}
      rows={PLACES}
      rowKey={({ id }) => id}
      stacked={{ header: 'Place', cell: ({ id, name: town }) => `${town}, number ${id}` }}
    />,
  )
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Place', 'Actions'])
  expect(row('Brno').textContent).toBe('Brno, number 1Details')
})

test('a column that may leave does so before the row becomes one cell', () => {
  drawnIn(300)
  renderPiece(
    <DataTable
      label="Places"
      columns={[...COLUMNS, { id: 'number', header: 'Number', widthPx: 100, leaves: 1, cell: ({ id }) => id }]}
      rows={PLACES}
      rowKey={({ id }) => id}
      stacked={{ header: 'Place', cell: ({ name }) => name }}
    />,
  )
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Actions'])
})

test('what has no room of its own stands on a second line of the row, and numbers say what they are', () => {
  drawnIn(300)
  const folding = (id: string, header: string, more: Partial<Column<Place>> = {}): Column<Place> => ({
    ...{ id, header, widthPx: 100, leaves: 1, cell: ({ name }) => `${id} of ${name}` },
    ...more,
  })
  renderPiece(
    <DataTable
      label="Places"
      columns={[
        ...COLUMNS,
        folding('river', 'River'),
        folding('height', 'Height', { isRight: true }),
        folding('castle', 'Castle', { foldsFor: ({ name }) => name === 'Linz', foldedName: 'guarded by' }),
      ]}
      rows={PLACES}
      rowKey={({ id }) => id}
    />,
  )
  expect(screen.getAllByRole('columnheader')).toHaveLength(2)
  expect(row('Brno').textContent).toBe('BrnoRiver: river of BrnoHeight height of BrnoDetails')
  expect(row('Linz')).toHaveTextContent('guarded by castle of Linz')
  expect(screen.getAllByText('River:', { exact: false })[0]).toHaveClass('visually-hidden')
})

test('a click anywhere in the cell of a box ticks it, and opens nothing', async () => {
  const ticked: string[] = []
  const opened: string[] = []
  const tick: Column<Place> = {
    ...{ id: 'tick', header: 'Selected', isTick: true },
    cell: ({ name }) => <input type="checkbox" aria-label={name} onChange={() => ticked.push(name)} />,
  }
  renderPiece(
    <DataTable
      label="Places"
      columns={[tick, ...COLUMNS]}
      rows={PLACES}
      rowKey={({ id }) => id}
      onOpen={({ name }) => opened.push(name)}
      opensOnClick
    />,
  )
  const box = screen.getByRole('checkbox', { name: 'Linz' })
  await userEvent.click(box.closest('td') as HTMLElement)
  await userEvent.click(box)
  expect(ticked).toEqual(['Linz', 'Linz'])
  row('Praha').focus()
  await userEvent.keyboard(' {ArrowDown} ')
  expect(ticked.slice(2)).toEqual(['Praha', 'Brno'])
  expect(opened).toEqual([])
})

test('the first 30 rows of a long list are drawn before the others', () => {
  const drawn: number[] = []
  const count = () => drawn.push(document.querySelectorAll('tbody tr:not(.table-spacer)').length)
  renderPiece(
    <Profiler id="rows" onRender={count}>
      <DataTable
        label="Places"
        columns={COLUMNS}
        rows={Array.from({ length: 50 }, (_, id) => ({ id, name: `Place ${id}` }))}
        rowKey={({ id }) => id}
      />
    </Profiler>,
  )
  expect([...new Set(drawn)].filter((rows) => rows > 0)).toEqual([30, 50])
})
