import { IconClockX, IconFileX } from '@tabler/icons-react'
import { visibleText } from '#console/features/devices/status/view/visibleText.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Age } from '#console/ui/Age.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceHealth } from '#contract/http/devices/status.ts'
import { clockErrorText } from '#domain/devices/deviceClock.ts'
import { formatNumber } from '#domain/units/numbers.ts'

interface Props {
  readonly device: Pick<Device, 'clockErrorMs'>
  /** It is undefined while it loads. */
  readonly health: DeviceHealth | undefined
}

/** It says why the reports of a connected device do not count, or not as they claim. */
export function ReportingNotice({ device: { clockErrorMs }, health }: Props) {
  const refused = health?.refused
  return (
    <>
      {refused && <RefusedNotice refused={refused} />}
      {clockErrorMs !== null && <ClockNotice clockErrorMs={clockErrorMs} />}
    </>
  )
}

function RefusedNotice({ refused }: { readonly refused: NonNullable<DeviceHealth['refused']> }) {
  const { since, lastAt, count, detail, topic, payload } = refused
  return (
    <NoticeBox icon={IconFileX} tone="warn">
      <b>{count === 1 ? 'A report is refused.' : `${formatNumber(count)} reports refused`}</b>{' '}
      {count > 1 && <>since {formatDateTime(since)}. </>}
      The newest came <Age at={lastAt} />: <bdi>{visibleText(detail)}</bdi>
      <details>
        <summary>Newest refused report</summary>
        <code className="mono">
          {topic}: {visibleText(payload)}
        </code>
      </details>
    </NoticeBox>
  )
}

function ClockNotice({ clockErrorMs }: { readonly clockErrorMs: number }) {
  return (
    <NoticeBox icon={IconClockX} tone="warn">
      <b>The clock of this device is {clockErrorText(clockErrorMs, new Date())}.</b> Readings are shown at the time when
      they came. Raw data has the time that the device gave them.
    </NoticeBox>
  )
}
