import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
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

type Open =
  | { readonly what: 'schedule'; readonly schedule: OnCallSchedule | undefined }
  | { readonly what: 'override'; readonly schedule: OnCallSchedule }

export function OnCallScreen() {
  const schedules = useCall(listOnCallSchedules, {}, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Screen
      title="On-call schedules"
      actions={
        <AddButton
          actionId="onCall.add"
          label="Add on-call schedule"
          searchTerms="new create on call duty shift"
          icon={IconUserPlus}
          onClick={() => setOpen({ what: 'schedule', schedule: undefined })}
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
              onEdit={(schedule) => setOpen({ what: 'schedule', schedule })}
              onOverride={(schedule) => setOpen({ what: 'override', schedule })}
              onDelete={(schedule) => void removeSchedule(schedule)}
            />
          )}
        </AsyncView>
      </Panel>
      {open?.what === 'schedule' && <OnCallModal schedule={open.schedule} onClose={close} />}
      {open?.what === 'override' && <OverrideModal schedule={open.schedule} onClose={close} />}
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
