import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { Pager } from '#console/ui/table/Pager.tsx'
import { listClientUpdates } from '#contract/http/clientUpdate.ts'
import { pollEveryMs } from './polling.ts'
import { UpdateTable } from './UpdateTable.tsx'
import { useKeyedPages } from './useKeyedPages.ts'
import './clientUpdates.css'

const ROWS_PER_PAGE = 50

/** `/client-updates`: updates of many devices, newest first. */
export function UpdatesScreen() {
  const navigate = useNavigate()
  const pages = useKeyedPages('updates')
  const updates = useCall(
    listClientUpdates,
    { pageSize: ROWS_PER_PAGE, ...(pages.next ? { next: pages.next } : {}) },
    { keepsPrevious: true, refreshEveryMs: (answer) => pollEveryMs(answer?.rows.map(({ state }) => state)) },
  )
  const list = updates.data
  return (
    <Screen title="Client updates" actions={<NewUpdateButton />}>
      <Panel>
        <AsyncView
          query={updates}
          isEmpty={({ rows }) => rows.length === 0}
          empty={
            <EmptyNote title="No update was made yet">
              <p>An update takes devices to another version of their client, in waves if you like.</p>
            </EmptyNote>
          }
        >
          {({ rows }) => (
            <UpdateTable
              updates={rows}
              onOpen={({ id }) => navigate(address('/client-updates/$updateId', { updateId: String(id) }))}
            />
          )}
        </AsyncView>
        {list && (pages.page > 1 || list.next !== null) && (
          <Pager
            firstRow={(pages.page - 1) * ROWS_PER_PAGE + 1}
            shownCount={list.rows.length}
            total={undefined}
            onPrevious={pages.onPrevious}
            onNext={pages.onNext(list.next)}
          />
        )}
      </Panel>
    </Screen>
  )
}

function NewUpdateButton() {
  return (
    <Button component={Link} to={address('/client-updates/new')} leftSection={<IconPlus size={16} aria-hidden />}>
      New update
    </Button>
  )
}
