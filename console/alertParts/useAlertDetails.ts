import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { useLiveAlerts, useOnLiveAgain } from '#console/lib/live/live.ts'
import { getAlertDetails } from '#contract/http/alerting/alerts.ts'
import type { AlertId } from '#domain/ids.ts'

export function useAlertDetails(id: AlertId): CallResult<typeof getAlertDetails> {
  const details = useCall(getAlertDetails, { id }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const deviceIds = details.data ? [details.data.deviceId] : []
  useLiveAlerts(deviceIds, () => void details.refetch())
  useOnLiveAgain(() => void details.refetch())
  return details
}
