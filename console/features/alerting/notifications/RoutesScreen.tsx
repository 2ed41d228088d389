import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
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

type Open = { readonly route: NotifyRoute | undefined }

export function RoutesScreen() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Screen
      title="Notification routes"
      actions={
        <AddButton
          actionId="route.add"
          label="Add route"
          searchTerms="new create notify escalate who is told"
          onClick={() => setOpen({ route: undefined })}
        />
      }
    >
      <Routes onEdit={(route) => setOpen({ route })} />
      {open && <RouteModal route={open.route} onClose={close} />}
    </Screen>
  )
}

function Routes({ onEdit }: { readonly onEdit: (route: NotifyRoute) => void }) {
  const routes = useCall(listNotifyRoutes, {})
  return (
    <Panel>
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
