import { IconCalendarEvent, IconPlayerPlay, IconWifiOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { DisplaysNow } from '#console/deviceParts/DisplaysNow.tsx'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { usePathName } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import { EmptyNote, FailedNote } from '#console/ui/notes.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import { listVisits, recordVisit } from '#contract/http/devices/visits.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { DeviceSheet } from './DeviceSheet.tsx'
import { keepPages } from './keepPages.ts'
import { UnsentVisits } from './UnsentVisits.tsx'
import { useDraft } from './useDraft.ts'
import { useKeptCall } from './useKeptCall.ts'
import { VisitForm } from './VisitForm.tsx'
import { newDraft } from './visitDraft.ts'
import './visits.css'

/** What a technician needs in front of a device, also without network. */
export function VisitScreen() {
  const guid = (usePathName('guid') ?? '') as DeviceGuid
  const device = useKeptCall(getDevice, { guid })
  useEffect(() => void keepPages(), [])
  if (device.data) return <Visit device={device.data} keptAt={device.keptAt} />
  return (
    <Screen title="Visit">
      <UnsentVisits />
      {device.isMissing && device.live.error ? (
        <FailedNote failure={device.live.error} onRetry={() => void device.live.refetch()} />
      ) : (
        <Skeleton />
      )}
    </Screen>
  )
}

interface VisitProps {
  readonly device: Device
  readonly keptAt: number | undefined
}

/** While somebody works on a device they look here whether it helped. */
const LOOK_EVERY_MS = 5_000

function Visit({ device, keptAt }: VisitProps) {
  const { draft, change, end } = useDraft(device.guid)
  const darkness = useCall(getDarkness, { deviceId: device.id }, { refreshEveryMs: LOOK_EVERY_MS })
  const visits = useKeptCall(listVisits, { deviceId: device.id })
  const mayWrite = useMay(recordVisit.permission)
  const planned = visits.data?.find(({ state }) => state === 'planned')
  const now = darkness.isError ? undefined : darkness.data?.walks
  const displays = now?.map(({ displayName, verdict }) => ({ name: displayName, sentence: verdict.sentence }))
  const begin = () => change(newDraft(new Date(serverNowMs()), planned?.id ?? null, displays))
  const canBegin = mayWrite && draft === null
  return (
    <Screen
      title={device.name}
      actions={
        canBegin && (
          <ActionButton icon={IconPlayerPlay} isMain onClick={begin}>
            Begin visit
          </ActionButton>
        )
      }
    >
      <UnsentVisits />
      {keptAt !== undefined && (
        <NoticeBox icon={IconWifiOff}>
          There is no network. This is what was known {formatMinute(new Date(keptAt).toISOString())}. What you write is
          kept on this device and sent later.
        </NoticeBox>
      )}
      {planned && (
        <NoticeBox icon={IconCalendarEvent}>
          Planned for {planned.technicianName || 'nobody'} from {formatMinute(planned.startDt)}
          {planned.bring && `. To bring: ${planned.bring}`}
        </NoticeBox>
      )}
      <DisplaysNow before={draft?.before} now={displays} />
      {draft && <VisitForm device={device} draft={draft} onChange={change} onEnd={end} />}
      <DeviceSheet device={device} />
      {!mayWrite && (
        <EmptyNote title="You may look">
          <p>Visits are written by people who manage devices.</p>
        </EmptyNote>
      )}
    </Screen>
  )
}
