import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { StepUpModal } from '#console/features/people/factors/StepUpModal.tsx'
import { type StepUpRequest, waitingStepUps } from '#console/lib/call/stepUp.ts'
import { queryClient } from '#console/lib/call/useCall.ts'
import { useSession } from '#console/lib/session/session.ts'
import { Kit } from '#console/ui/kit/Kit.tsx'

export function StepUps() {
  const [asked, setRequested] = useState<StepUpRequest>()
  const isSignedIn = useSession() !== undefined
  useEffect(() => waitingStepUps.takeAll(setRequested), [])
  // After a sign-out nobody is there who could prove their identity.
  useEffect(() => {
    if (!isSignedIn) setRequested(undefined)
    if (!isSignedIn) asked?.onEnd(false)
  }, [isSignedIn, asked])
  const end = (isProved: boolean) => {
    setRequested(undefined)
    asked?.onEnd(isProved)
  }
  return (
    <Kit>
      <QueryClientProvider client={queryClient}>
        <StepUpModal isOpen={asked !== undefined && isSignedIn} onEnd={end} />
      </QueryClientProvider>
    </Kit>
  )
}
