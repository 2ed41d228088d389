import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { StepUpModal } from '#console/features/factors/StepUpModal.tsx'
import { useSession } from '#console/lib/call/session.ts'
import { type StepUpAsked, waitingStepUps } from '#console/lib/call/stepUp.ts'
import { queryClient } from '#console/lib/call/useCall.ts'

export function StepUps() {
  const [asked, setAsked] = useState<StepUpAsked>()
  const isSignedIn = useSession() !== undefined
  useEffect(() => waitingStepUps.takeAll(setAsked), [])
  // Nobody is there any more who could prove anything.
  useEffect(() => {
    if (!isSignedIn) setAsked(undefined)
    if (!isSignedIn) asked?.onEnd(false)
  }, [isSignedIn, asked])
  const end = (isProved: boolean) => {
    setAsked(undefined)
    asked?.onEnd(isProved)
  }
  return (
    <QueryClientProvider client={queryClient}>
      <StepUpModal isOpen={asked !== undefined && isSignedIn} onEnd={end} />
    </QueryClientProvider>
  )
}
