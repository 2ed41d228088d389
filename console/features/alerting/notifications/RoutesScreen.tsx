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
import { deleteNotifyRoute, listNotifyRoutes, type NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { deleteOnCallSchedule, listOnCallSchedules, type OnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { OnCallModal } from './OnCallModal.tsx'
import { OnCallTable } from './OnCallTable.tsx'
import { OverrideModal } from './OverrideModal.tsx'
import { RouteModal } from './RouteModal.tsx'
import { RouteTable } from './RouteTable.tsx'
import { routeMessages } from './routeMessages.ts'
import './routes.css'

type Open =
  | { readonly what: 'route'; readonly route: NotifyRoute | undefined }
  | { readonly what: 'schedule'; readonly schedule: OnCallSchedule | undefined }
  | { readonly what: 'override'; readonly schedule: OnCallSchedule }

export function RoutesScreen() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Screen
      title="Notifications"
      actions={
        <>
          <AddButton
            actionId="onCall.add"
            label="Add on-call schedule"
            searchTerms="new create on call duty shift"
            icon={IconUserPlus}
            isMain={false}
            onClick={() => setOpen({ what: 'schedule', schedule: undefined })}
          />
          <AddButton
            actionId="route.add"
            label="Add route"
            searchTerms="new create notify escalate who is told"
            onClick={() => setOpen({ what: 'route', route: undefined })}
          />
        </>
      }
    >
      <div className="routing">
        <Routes onEdit={(route) => setOpen({ what: 'route', route })} />
        <Schedules
          onEdit={(schedule) => setOpen({ what: 'schedule', schedule })}
          onOverride={(schedule) => setOpen({ what: 'override', schedule })}
        />
      </div>
      {open?.what === 'route' && <RouteModal route={open.route} onClose={close} />}
      {open?.what === 'schedule' && <OnCallModal schedule={open.schedule} onClose={close} />}
      {open?.what === 'override' && <OverrideModal schedule={open.schedule} onClose={close} />}
    </Screen>
  )
}

function Routes({ onEdit }: { readonly onEdit: (route: NotifyRoute) => void }) {
  const routes = useCall(listNotifyRoutes, {})
  return (
    <Panel title="Routes">
      <AsyncView
        query={routes}
        empty={
          <EmptyNote title="There are no routes yet">
            <p>{routeMessages.noRoutes}</p>
          </EmptyNote>
        }
      >
        {(rows) => <RouteTable routes={rows} onEdit={onEdit} onDelete={(route) => void removeRoute(route)} />}
      </AsyncView>
    </Panel>
  )
}

interface SchedulesProps {
  readonly onEdit: (schedule: OnCallSchedule) => void
  readonly onOverride: (schedule: OnCallSchedule) => void
}

function Schedules({ onEdit, onOverride }: SchedulesProps) {
  const schedules = useCall(listOnCallSchedules, {}, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  return (
    <Panel title="On call">
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
            onEdit={onEdit}
            onOverride={onOverride}
            onDelete={(schedule) => void removeSchedule(schedule)}
          />
        )}
      </AsyncView>
    </Panel>
  )
}

const removeRoute = ({ id, name }: NotifyRoute) =>
  confirmAndChange(
    deleteNotifyRoute,
    { body: { id } },
    {
      title: 'Delete route',
      text: routeMessages.confirmDeleteRoute(name),
      isDangerous: true,
      done: routeMessages.routeDeleted,
    },
  )

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
