import { Group } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { MomentField } from '#console/ui/form/MomentField.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { type OnCallSchedule, setOnCallOverride } from '#contract/http/alerting/onCall.ts'
import type { UserId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { routeMessages } from './routeMessages.ts'

interface Props {
  readonly schedule: OnCallSchedule
  readonly onClose: () => void
}

export function OverrideModal({ schedule, onClose }: Props) {
  const [userId, setUserId] = useState<UserId>()
  const [from, setFrom] = useState<Date | undefined>(() => new Date(serverNowMs()))
  const [to, setTo] = useState<Date | undefined>(() => new Date(serverNowMs() + 12 * HOUR_MS))
  const change = useChange(setOnCallOverride, { onDone: () => toasts.success(routeMessages.overrideSaved) })
  const isReady = userId !== undefined && from !== undefined && to !== undefined && from < to
  return (
    <FormModal
      title={`Override ${schedule.name}`}
      size={520}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        const body = { rotaId: schedule.id, userId, from: from.toISOString(), to: to.toISOString() }
        change.mutate({ body }, { onSuccess: onClose })
      }}
      isBusy={change.isPending}
      isDisabled={!isReady}
      submitLabel="Put on call"
      onClose={onClose}
    >
      <UserPicker label="Who" value={userId} onChange={setUserId} data-autofocus />
      <Group grow align="flex-start">
        <MomentField label="From" name="From" value={from} onChange={(next) => setFrom(next ?? undefined)} />
        <MomentField label="To" name="To" value={to} onChange={(next) => setTo(next ?? undefined)} />
      </Group>
      {schedule.overrides.length > 0 && (
        <ul className="on-call-overrides" aria-label="Overrides">
          {schedule.overrides.map((override) => (
            <li key={override.id}>
              <span>
                {override.name}, {formatMinute(override.from)} to {formatMinute(override.to)}
              </span>
              <RowButton
                name="Remove"
                of={override.name}
                icon={IconTrash}
                onClick={() =>
                  change.mutate({ body: { rotaId: schedule.id, removesId: override.id } }, { onSuccess: onClose })
                }
              />
            </li>
          ))}
        </ul>
      )}
    </FormModal>
  )
}
