import { useState } from 'react'
import { waitingQuestions } from '#console/lib/notice/dialogs.ts'
import { kitPart } from '#console/ui/kit/kitPart.tsx'
import { Toasts } from './Toasts.tsx'

const Questions = kitPart(() => import('./Questions.tsx').then((part) => part.Questions), Nothing)

/** Toasts, and questions, which are fetched with the first of them. */
export function Notices() {
  const isAsking = waitingQuestions.useHasSome()
  const [hasAsked, setHasAsked] = useState(isAsking)
  if (isAsking && !hasAsked) setHasAsked(true)
  return (
    <>
      <Toasts />
      {hasAsked && <Questions />}
    </>
  )
}

function Nothing() {
  return null
}
