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
import { deleteRota, listRotas, type OnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { RotaModal } from './OnCallModal.tsx'
import { RotaTable } from './OnCallTable.tsx'
import { OverrideModal } from './OverrideModal.tsx'
import { RouteModal } from './RouteModal.tsx'
import { RouteTable } from './RouteTable.tsx'
import { routeMessages } from './routeMessages.ts'
import './routes.css'

type Open =
  | { readonly what: 'route'; readonly route: NotifyRoute | undefined }
  | { readonly what: 'rota'; readonly rota: OnCallSchedule | undefined }
  | { readonly what: 'override'; readonly rota: OnCallSchedule }

export function RoutesScreen() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Screen
      title="Notifications"
      actions={
        <>
          <AddButton
            actionId="rota.add"
            label="Add on-call schedule"
            searchTerms="new create on call duty shift"
            icon={IconUserPlus}
            isMain={false}
            onClick={() => setOpen({ what: 'rota', rota: undefined })}
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
        <Rotas
          onEdit={(rota) => setOpen({ what: 'rota', rota })}
          onOverride={(rota) => setOpen({ what: 'override', rota })}
        />
      </div>
      {open?.what === 'route' && <RouteModal route={open.route} onClose={close} />}
      {open?.what === 'rota' && <RotaModal rota={open.rota} onClose={close} />}
      {open?.what === 'override' && <OverrideModal rota={open.rota} onClose={close} />}
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

interface RotasProps {
  readonly onEdit: (rota: OnCallSchedule) => void
  readonly onOverride: (rota: OnCallSchedule) => void
}

function Rotas({ onEdit, onOverride }: RotasProps) {
  const rotas = useCall(listRotas, {}, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  return (
    <Panel title="On call">
      <AsyncView
        query={rotas}
        empty={
          <EmptyNote title="There are no on-call schedules yet">
            <p>{routeMessages.noRotas}</p>
          </EmptyNote>
        }
      >
        {(rows) => (
          <RotaTable rotas={rows} onEdit={onEdit} onOverride={onOverride} onDelete={(rota) => void removeRota(rota)} />
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

const removeRota = ({ id, name }: OnCallSchedule) =>
  confirmAndChange(
    deleteRota,
    { body: { id } },
    {
      title: 'Delete on-call schedule',
      text: routeMessages.confirmDeleteRota(name),
      isDangerous: true,
      done: routeMessages.rotaDeleted,
    },
  )
