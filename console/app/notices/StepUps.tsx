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
  // Nobody is there any more who could prove anything.
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
