import { IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { testDeviceDriver } from '#contract/http/devices/commands.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type PartLabels, partTitle } from './driverLabels.ts'

interface Props extends PartLabels {
  readonly deviceId: DeviceId
  readonly part: string
  readonly isTestable: boolean
  /** Why something else that was asked of this part has failed. */
  readonly failure?: string | undefined
  readonly children?: ReactNode
}

/** One part of a device: what reads it, how far that is, and what the device answers when it is tested. */
export function PartRow({ deviceId, part, title, details, note, state, isTestable, failure, children }: Props) {
  const test = useChange(testDeviceDriver, { showsFailure: true })
  const name = partTitle(part)
  const failed = failure ?? (test.isError ? failureMessage(test.error) : undefined)
  return (
    <li className="driver" aria-label={name}>
      <span className="driver-part">{name}</span>
      <div className="driver-words" data-state={state}>
        <strong>{title}</strong>
        {details !== '' && <span>{details}</span>}
        {note !== '' && <span className="driver-note">{note}</span>}
        <span role="status" className="driver-answer" data-failed={failed !== undefined || undefined}>
          {test.isPending && 'The device is asked…'}
          {failed}
          {test.isSuccess && test.data}
        </span>
      </div>
      <div className="driver-buttons">
        {isTestable && (
          <ActionButton
            icon={IconPlugConnected}
            iconSize={14}
            size="compact-sm"
            loading={test.isPending}
            onClick={() => test.mutate({ query: { deviceId, part: part as never } })}
          >
            Test<span className="visually-hidden"> the driver of {name}</span>
          </ActionButton>
        )}
        {children}
      </div>
    </li>
  )
}
