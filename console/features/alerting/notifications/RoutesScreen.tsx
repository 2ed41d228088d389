import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { deleteNotifyRoute, listNotifyRoutes, type NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { RouteTable } from './RouteTable.tsx'
import { routeMessages } from './routeMessages.ts'
import './routes.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const RouteModal = lazyDialog(() => import('./RouteModal.tsx').then((part) => part.RouteModal))

export function RoutesScreen() {
  const routes = useCall(listNotifyRoutes, {})
  const { open, add, show, close, linkTo } = useRecordDialog('/notifications/routes', routes.data, ({ id }) => id)
  return (
    <Screen
      title="Notification routes"
      actions={
        <AddButton
          actionId="route.add"
          label="Add route"
          searchTerms="new create notify escalate who is told"
          onClick={add}
        />
      }
    >
      <Panel>
        <AsyncView
          query={routes}
          empty={
            <EmptyNote title="There are no routes yet">
              <p>{routeMessages.noRoutes}</p>
            </EmptyNote>
          }
        >
          {(rows) => (
            <RouteTable routes={rows} linkTo={linkTo} onEdit={show} onDelete={(route) => void removeRoute(route)} />
          )}
        </AsyncView>
      </Panel>
      {open && open.record?.mayChange !== false && <RouteModal route={open.record} onClose={close} />}
    </Screen>
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
