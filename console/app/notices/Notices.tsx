import { useState } from 'react'
import { waitingStepUps } from '#console/lib/call/stepUp.ts'
import { waitingQuestions } from '#console/lib/notice/dialogs.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { Toasts } from './Toasts.tsx'

const StepUps = lazyPart(() => import('./StepUps.tsx').then((part) => part.StepUps), { meanwhile: Nothing })
const Questions = lazyPart(() => import('./Questions.tsx').then((part) => part.Questions), { meanwhile: Nothing })

export function Notices() {
  const hasRequested = useEver(waitingQuestions.useHasSome())
  const hasAskedWho = useEver(waitingStepUps.useHasSome())
  return (
    <>
      <Toasts />
      {hasRequested && <Questions />}
      {hasAskedWho && <StepUps />}
    </>
  )
}

function useEver(isSo: boolean): boolean {
  const [wasEver, setWasEver] = useState(isSo)
  if (isSo && !wasEver) setWasEver(true)
  return isSo || wasEver
}

function Nothing() {
  return null
}
