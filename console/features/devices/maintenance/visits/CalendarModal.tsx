import { Modal } from '@mantine/core'
import { IconLink, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { endCalendarAddress, getCalendarAddress, newCalendarAddress } from '#contract/http/devices/visits.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A calendar that subscribes to the address shows one's own planned visits (rules/maintenance 8). */
export function CalendarModal({ isOpen, onClose }: Props) {
  const [made, setMade] = useState<string>()
  const known = useCall(getCalendarAddress, {}, { enabled: isOpen })
  const close = () => {
    setMade(undefined)
    onClose()
  }
  const make = useChange(newCalendarAddress, { onDone: ({ address }) => setMade(location.origin + address) })
  const end = useChange(endCalendarAddress, { onDone: () => setMade(undefined) })
  const madeDt = known.data?.madeDt ?? null
  return (
    <Modal opened={isOpen} onClose={close} title="Calendar address" size={520}>
      <p>
        Subscribe to this address in your calendar, and it shows the visits that are planned for you. Whoever has it
        reads them.
      </p>
      {made && (
        <p className="calendar-address">
          <code>{made}</code> <CopyButton text={made} name="address" />
        </p>
      )}
      {made && <p>It is shown only now. Make a new one when it is lost; this one ends then.</p>}
      {!made && madeDt && <p>You have one since {formatMinute(madeDt)}. It cannot be shown again.</p>}
      <div className="visit-buttons">
        <ActionButton icon={IconLink} isMain={!madeDt} onClick={() => make.mutate({})}>
          {madeDt ? 'Make a new address' : 'Make an address'}
        </ActionButton>
        {madeDt && (
          <ActionButton icon={IconTrash} onClick={() => end.mutate({})}>
            End it
          </ActionButton>
        )}
      </div>
    </Modal>
  )
}
