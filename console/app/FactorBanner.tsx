import { IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { kitPart } from '#console/ui/kit/kitPart.tsx'
import { useFirstUse } from '#console/ui/lazyPart.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import './factorBanner.css'

const SecondFactorModal = kitPart(() =>
  import('#console/features/people/factors/SecondFactorModal.tsx').then((part) => part.SecondFactorModal),
)

/** For whom a role lets in without a second factor for a while only. */
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
