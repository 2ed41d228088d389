import { IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import './factorBanner.css'

const SecondFactorModal = lazyPart(() =>
  import('#console/features/people/factors/SecondFactorModal.tsx').then((part) => part.SecondFactorModal),
)

/** It warns people whose role admits them without a second factor only until a date. */
export function FactorBanner() {
  const dueAt = useSession()?.user.factorDueAt
  const [isHere, reach] = useFirstUse(SecondFactorModal)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    void reach()
  }
  return (
    <>
      {dueAt !== undefined && (
        <div className="factor-banner" role="status">
          <IconShieldLock size={18} aria-hidden />
          <span>
            Your role needs a second factor. Without one you get in until <b>{formatMinute(dueAt)}</b>.
          </span>
          <PlainButton onClick={open}>Add one</PlainButton>
        </div>
      )}
      {isHere && <SecondFactorModal isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
