import { Button } from '@mantine/core'
import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { useMay } from '#console/lib/session/session.ts'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { closeAlerts, MOST_CLOSED_AT_ONCE } from '#contract/http/alerting/alerts.ts'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import type { AlertId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { openAlertsOf } from '../openAlertsOf.ts'

const CloseAlertsModal = lazyDialog(() =>
  import('#console/alertParts/CloseAlertsModal.tsx').then((part) => part.CloseAlertsModal),
)

interface Props {
  readonly incidents: readonly Incident[]
}

/** It closes the alerts of the incidents that are listed and whole, as one dialog closes several alerts. */
export function CloseAll({ incidents }: Props) {
  const mayClose = useMay(closeAlerts.permission)
  const [alertIds, setAlertIds] = useState<readonly AlertId[]>()
  const [isReading, setIsReading] = useState(false)
  const closable = incidents.filter(({ isWhole, openCount }) => isWhole && openCount > 0)
  if (!mayClose || closable.length === 0) return null
  const read = async () => {
    setIsReading(true)
    try {
      const open: AlertId[] = []
      for (const { id } of closable) {
        if (open.length < MOST_CLOSED_AT_ONCE) open.push(...(await openAlertsOf(id)))
      }
      setAlertIds(open.slice(0, MOST_CLOSED_AT_ONCE))
    } catch (failure) {
      toasts.failure(failure)
    } finally {
      setIsReading(false)
    }
  }
  const end = () => setAlertIds(undefined)
  return (
    <>
      <Button variant="subtle" size="compact-sm" loading={isReading} onClick={() => void read()}>
        Close all
      </Button>
      {alertIds && (
        <CloseAlertsModal title={`Close alerts (${formatNumber(alertIds.length)})`} alertIds={alertIds} onClose={end} />
      )}
    </>
  )
}
