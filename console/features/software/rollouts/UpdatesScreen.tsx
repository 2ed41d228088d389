import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useList } from '#console/lib/list/useList.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { listClientUpdates } from '#contract/http/software/rollouts.ts'
import { FirstUpdate } from './FirstUpdate.tsx'
import { pollEveryMs } from './polling.ts'
import { UpdateTable } from './UpdateTable.tsx'
import './rollouts.css'

export function UpdatesScreen() {
  const list = useList(listClientUpdates, {
    at: '/device-software/rollouts',
    rowsPerPage: 50,
    refreshEveryMs: (answer) => pollEveryMs(answer?.rows),
  })
  return (
    <Screen title="Rollouts" unread={list.unread} actions={<NewUpdateButton />}>
      <ListPanel list={list} noun={['update', 'updates']} empty={<FirstUpdate />}>
        {(updates) => <UpdateTable updates={updates} {...list.table} />}
      </ListPanel>
    </Screen>
  )
}

function NewUpdateButton() {
  return (
    <Button
      component={Link}
      to={address('/device-software/rollouts/new')}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      New update
    </Button>
  )
}
