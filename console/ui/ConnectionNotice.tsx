import { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { CONNECTION_STATUS } from '#domain/devices/status.ts'
import { Age } from './Age.tsx'
import { NoticeBox } from './NoticeBox.tsx'

interface Props {
  readonly device: Device
  /** It says what being offline means for the page below, for a device that has reported before. */
  readonly children?: ReactNode
}

/** It says that the values below are not current, and is absent while the device is connected. */
export function ConnectionNotice({ device: { connStatusId, lastEvent }, children }: Props) {
  if (connStatusId !== CONNECTION_STATUS.offline) return null
  return (
    <NoticeBox icon={IconPlugConnectedX}>
      {lastEvent === null ? (
        <>
          <b>This device has never reported.</b> Put its configuration file on it: the settings menu above downloads it.
        </>
      ) : (
        <>
          <b>Offline.</b> Last report <Age at={lastEvent} /> ({formatDateTime(lastEvent)}). {children}
        </>
      )}
    </NoticeBox>
  )
}
