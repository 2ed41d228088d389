import { Modal, Select } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { keepSession } from '#console/lib/call/sessionStore.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { useUser } from '#console/lib/session/session.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { setTimeZone } from '#contract/http/people/account.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import './account.css'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const MOST_OFFERED = 100

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The signed-in user sees times in this zone, wherever the browser is. */
export function TimeZoneModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Time zone" size={380}>
      <TimeZoneForm onClose={onClose} />
    </Modal>
  )
}

function TimeZoneForm({ onClose }: Pick<Props, 'onClose'>) {
  const user = useUser()
  const [chosen, setChosen] = useState(user.timeZone)
  const browsers = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = chosen || browsers
  const clock = useOnTime((now) => {
    const { date, time } = wallClock(now, zone)
    return `${date} ${time}`
  })
  const save = useChange(setTimeZone, {
    onDone: () => {
      toasts.success(messages.timeZoneSaved)
      onClose()
      keepSession({ user: { ...user, timeZone: chosen } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { timeZone: chosen } })
  }
  return (
    <ModalForm onSubmit={submit} isBusy={save.isPending} onCancel={onClose}>
      <Select
        label="Show times in"
        placeholder={`This browser: ${browsers}`}
        data={chosen === '' || ZONES.includes(chosen) ? ZONES : [chosen, ...ZONES]}
        value={chosen || null}
        onChange={(next) => setChosen(next ?? '')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear time zone' }}
        limit={MOST_OFFERED}
        nothingFoundMessage="Nothing found"
        data-autofocus
      />
      <p className="account-hint">
        There it is now <span className="time-zone-clock">{clock}</span>. Lists, charts and exported files are written
        in this zone. Off times stay in the time zone of their device.
      </p>
    </ModalForm>
  )
}
