import { useLongPress } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import type { Aim } from './AlertRowMenu.tsx'
import type { AlertSelection } from './useAlertSelection.ts'

const AlertRowMenu = lazyDialog(() => import('./AlertRowMenu.tsx').then((part) => part.AlertRowMenu))

interface Props {
  readonly alerts: readonly Alert[]
  readonly selection: AlertSelection
  readonly onClose: (alerts: readonly Alert[]) => void
  readonly children: ReactNode
}

/** The menu belongs to a row, or to the whole selection if the row is part of it. */
export function AlertContextMenu({ alerts, selection, onClose, children }: Props) {
  const [aim, setAim] = useState<Aim>()
  const openAt = (target: EventTarget | null, { clientX, clientY }: Pick<Touch, 'clientX' | 'clientY'>): boolean => {
    const row = target instanceof Element ? target.closest('[data-alert-id]') : null
    const alert = alerts.find(({ id }) => String(id) === row?.getAttribute('data-alert-id'))
    if (!alert) return false
    setAim({ about: selection.has(alert.id) ? selection.alerts : [alert], xPx: clientX, yPx: clientY })
    return true
  }
  // Not every phone has an event of its own for it.
  const press = useLongPress(
    (event) => {
      const touch = 'touches' in event ? event.touches[0] : undefined
      if (touch) openAt(event.target, touch)
    },
    { threshold: 500, events: ['touch'], cancelOnMove: true },
  )
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: each row has a button that opens the same menu */}
      <div
        {...press}
        onContextMenu={(event) => {
          // Beside the rows the browser's own menu opens.
          if (openAt(event.target, event)) event.preventDefault()
        }}
      >
        {children}
      </div>
      {aim && <AlertRowMenu {...aim} onCloseAlerts={onClose} onClose={() => setAim(undefined)} />}
    </>
  )
}
