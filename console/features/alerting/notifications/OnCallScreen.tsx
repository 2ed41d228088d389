import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { deleteOnCallSchedule, listOnCallSchedules, type OnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { OnCallTable } from './OnCallTable.tsx'
import { routeMessages } from './routeMessages.ts'
import './routes.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const OnCallModal = lazyDialog(() => import('./OnCallModal.tsx').then((part) => part.OnCallModal))
const OverrideModal = lazyDialog(() => import('./OverrideModal.tsx').then((part) => part.OverrideModal))

export function OnCallScreen() {
  const schedules = useCall(listOnCallSchedules, {}, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const { open, add, show, close, linkTo } = useRecordDialog('/notifications/on-call', schedules.data, ({ id }) => id)
  const [overridden, setOverridden] = useState<OnCallSchedule>()
  return (
    <Screen
      title="On-call schedules"
      actions={
        <AddButton
          actionId="onCall.add"
          label="Add on-call schedule"
          searchTerms="new create on call duty shift"
          icon={IconUserPlus}
          onClick={add}
        />
      }
    >
      <Panel>
        <AsyncView
          query={schedules}
          empty={
            <EmptyNote title="There are no on-call schedules yet">
              <p>{routeMessages.noSchedules}</p>
            </EmptyNote>
          }
        >
          {(rows) => (
            <OnCallTable
              schedules={rows}
              linkTo={linkTo}
              onEdit={show}
              onOverride={setOverridden}
              onDelete={(schedule) => void removeSchedule(schedule)}
            />
          )}
        </AsyncView>
      </Panel>
      {open && <OnCallModal schedule={open.record} onClose={close} />}
      {overridden && <OverrideModal schedule={overridden} onClose={() => setOverridden(undefined)} />}
    </Screen>
  )
}

const removeSchedule = ({ id, name }: OnCallSchedule) =>
  confirmAndChange(
    deleteOnCallSchedule,
    { body: { id } },
    {
      title: 'Delete on-call schedule',
      text: routeMessages.confirmDeleteSchedule(name),
      isDangerous: true,
      done: routeMessages.scheduleDeleted,
    },
  )
