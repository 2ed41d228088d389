import { Button } from '@mantine/core'
import { IconPlus, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
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
  usePaletteCommands([
    {
      actionId: 'route.add',
      label: 'Add route',
      searchTerms: 'new create notify escalate who is told',
      icon: IconPlus,
      run: () => setOpen({ what: 'route', route: undefined }),
    },
    {
      actionId: 'rota.add',
      label: 'Add on-call schedule',
      searchTerms: 'new create on call duty shift',
      icon: IconPlus,
      run: () => setOpen({ what: 'rota', rota: undefined }),
    },
  ])
  return (
    <Screen
      title="Notifications"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onClick={() => setOpen({ what: 'rota', rota: undefined })}
          >
            Add on-call schedule
          </Button>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setOpen({ what: 'route', route: undefined })}
          >
            Add route
          </Button>
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
  const deleting = useChange(deleteNotifyRoute, { onDone: () => toasts.success(routeMessages.routeDeleted) })
  const remove = async ({ id, name }: NotifyRoute) => {
    const text = routeMessages.confirmDeleteRoute(name)
    if (await confirmDialog({ title: 'Delete route', text, isDangerous: true })) deleting.mutate({ body: { id } })
  }
  return (
    <Panel title="Routes">
      <AsyncView
        query={routes}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <EmptyNote title="There are no routes yet">
            <p>{routeMessages.noRoutes}</p>
          </EmptyNote>
        }
      >
        {(rows) => <RouteTable routes={rows} onEdit={onEdit} onDelete={(route) => void remove(route)} />}
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
  const deleting = useChange(deleteRota, { onDone: () => toasts.success(routeMessages.rotaDeleted) })
  const remove = async ({ id, name }: OnCallSchedule) => {
    const text = routeMessages.confirmDeleteRota(name)
    if (await confirmDialog({ title: 'Delete on-call schedule', text, isDangerous: true }))
      deleting.mutate({ body: { id } })
  }
  return (
    <Panel title="On call">
      <AsyncView
        query={rotas}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <EmptyNote title="There are no on-call schedules yet">
            <p>{routeMessages.noRotas}</p>
          </EmptyNote>
        }
      >
        {(rows) => (
          <RotaTable rotas={rows} onEdit={onEdit} onOverride={onOverride} onDelete={(rota) => void remove(rota)} />
        )}
      </AsyncView>
    </Panel>
  )
}
