import { TextInput } from '@mantine/core'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ConnectionBadge } from '#console/deviceParts/ConnectionBadge.tsx'
import { StatusBadge } from '#console/deviceParts/StatusBadge.tsx'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { Age } from './Age.tsx'
import { Sparkline } from './chart/Sparkline.tsx'
import { FilterBar } from './filter/FilterBar.tsx'
import { LoadingOverlay } from './LoadingOverlay.tsx'
import { EmptyNote, FailedNote } from './notes.tsx'
import { Panel } from './Panel.tsx'
import { NoPermissions } from './page/NoPermissions.tsx'
import { NotFound } from './page/NotFound.tsx'
import { Screen } from './page/Screen.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Pager } from './table/Pager.tsx'

const nothing = () => {}
const PIECES = {
  badges: (
    <div>
      <StatusBadge statusId={2} />
      <ConnectionBadge connStatusId={0} />
    </div>
  ),
  'an age': <Age at={new Date()} />,
  'a filter bar': (
    <FilterBar
      primary={[<TextInput key="name" aria-label="Name" />]}
      more={[{ label: 'Place', field: <TextInput aria-label="Place" />, chip: 'Place: Lyon', onRemove: nothing }]}
      onReload={nothing}
      onReset={nothing}
    />
  ),
  'a pager': <Pager firstRow={101} shownCount={100} total={240} onPrevious={nothing} onNext={nothing} />,
  'a screen with a panel': (
    <Screen title="Devices" subtitle="all" actions={<button type="button">Add</button>}>
      <Panel title="List" meta="3 rows">
        content
      </Panel>
    </Screen>
  ),
  sparklines: (
    <div>
      <Sparkline values={[1, null, 3]} />
      <Sparkline values={[1, 2, 3]} label="Temperature of the last 24 hours" />
    </div>
  ),
  'the page not found': <NotFound onBack={nothing} />,
  'no permissions': <NoPermissions />,
  'a failure': <FailedNote failure={new CallFailed('network', 0, 'No network.')} onRetry={nothing} />,
  'an empty list': <EmptyNote title="No data" />,
  'something that loads': (
    <div>
      <Skeleton />
      <LoadingOverlay isVisible />
    </div>
  ),
}

test.each(Object.entries(PIECES))('axe finds nothing wrong with %s', async (_name, piece) => {
  const { container } = renderPiece(<main>{piece}</main>)
  expect(await axeFindings(container)).toEqual([])
})

test('a status is a word, also one that this console does not know', () => {
  renderPiece(
    <>
      <StatusBadge statusId={2} />
      <StatusBadge statusId={9} />
      <ConnectionBadge connStatusId={1} />
      <ConnectionBadge connStatusId={0} />
    </>,
  )
  for (const word of ['Paired', 'Status 9', 'Synced', 'Offline']) expect(screen.getByText(word)).toBeVisible()
})

test('an unknown age is a dash, never "just now"', () => {
  renderPiece(<Age at={null} />)
  expect(screen.getByText('–')).toBeVisible()
})

test('the first page has no way back, the last one no way on', () => {
  const { rerender } = renderPiece(<Pager firstRow={1} shownCount={100} total={240} onNext={nothing} />)
  expect(screen.queryByRole('button', { name: 'Previous page' })).not.toBeInTheDocument()
  rerender(<Pager firstRow={201} shownCount={40} total={240} onPrevious={nothing} />)
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
  expect(screen.getByText('201–240 of 240')).toBeVisible()
})

test('the browser tab carries the title of the screen', () => {
  renderPiece(<Screen title="Devices" />)
  expect(document.title).toBe('Devices · Wayside')
})
