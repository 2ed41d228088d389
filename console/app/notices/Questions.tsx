import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { ModalsProvider, modals } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { StepUpAsking, StepUpForm } from '#console/features/people/factors/StepUpModal.tsx'
import { send } from '#console/lib/call/api.ts'
import { type StepUpRequest, waitingStepUps } from '#console/lib/call/stepUp.ts'
import { queryClient } from '#console/lib/call/useCall.ts'
import { type Question, waitingQuestions } from '#console/lib/notice/dialogs.ts'
import { useSession } from '#console/lib/session/session.ts'
import { Kit } from '#console/ui/kit/Kit.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { getStepUpWays } from '#contract/http/people/factors.ts'

export function Questions() {
  useEffect(() => waitingQuestions.takeAll(ask), [])
  return (
    <Kit>
      <ModalsProvider modalProps={{ centered: true, size: 400 }}>{null}</ModalsProvider>
    </Kit>
  )
}

function ask(question: Question) {
  if (question.send) askInPlace(question, AnswerAndSend)
  else if (question.call?.stepUp === 'always') askInPlace(question, AnswerWithProof)
  else askPlainly(question)
}

function askPlainly({ title, text, selected, isNotice = false, isDangerous = false, onAnswer }: Question) {
  modals.openConfirmModal({
    title,
    children: (
      <>
        <QuestionText text={text} />
        {selected !== undefined && <SelectedText text={selected} />}
      </>
    ),
    onConfirm: () => onAnswer(true),
    // Once the question is answered, this call does nothing.
    onClose: () => onAnswer(false),
    ...(isNotice
      ? selected === undefined
        ? NOTICE_LABELS
        : { ...NOTICE_LABELS, confirmProps: {} }
      : askedAs(isDangerous)),
  })
}

let askedBefore = 0

/** The server may ask for a fresh proof; this dialog takes it itself, because a second one would ask again. */
function askInPlace(question: Question, Answer: ComponentType<AnswerProps>) {
  const number = ++askedBefore
  const end = (isYes: boolean) => {
    question.onAnswer(isYes)
    modals.close(id)
  }
  const id: string = modals.open({
    title: question.title,
    onClose: () => question.onAnswer(false),
    children: (
      <QueryClientProvider client={queryClient}>
        <Stack gap="md">
          <QuestionText text={question.text} />
          {/* A question that waited beneath another takes its place when that one is answered, but must not take over
             its answer. */}
          <WhileSignedIn key={number} onEnd={end}>
            <Answer question={question} onEnd={end} />
          </WhileSignedIn>
        </Stack>
      </QueryClientProvider>
    ),
  })
}

interface AnswerProps {
  readonly question: Question
  readonly onEnd: (isYes: boolean) => void
}

/** Another tab may sign out, and then nobody is there who could prove their identity. */
function WhileSignedIn({ onEnd, children }: Pick<AnswerProps, 'onEnd'> & { readonly children: ReactNode }) {
  const isSignedIn = useSession() !== undefined
  useEffect(() => {
    if (!isSignedIn) onEnd(false)
  })
  return isSignedIn && children
}

/** Yes and No are shown at once; the proof's field appears above them once the server is known to want one. */
function AnswerWithProof({ question: { isDangerous = false }, onEnd }: AnswerProps) {
  const [isYes, setIsYes] = useState(false)
  const [known, setKnown] = useState<AnswerOf<typeof getStepUpWays> | 'unknown'>()
  useEffect(() => {
    send(getStepUpWays, {}).then(setKnown, () => setKnown('unknown'))
  }, [])
  const needsProof = known !== undefined && known !== 'unknown' && !known.isFresh
  // The call is made even if the answer did not come; the server then asks for the proof.
  const isAnswered = isYes && known !== undefined && !needsProof
  useEffect(() => {
    if (isAnswered) onEnd(true)
  })
  if (needsProof)
    return <StepUpForm known={known} submitLabel={YES_NO.confirm} isDangerous={isDangerous} onEnd={onEnd} />
  return <YesNo isDangerous={isDangerous} isBusy={isYes} onYes={() => setIsYes(true)} onNo={() => onEnd(false)} />
}

/** The server refuses at once. A call that takes longer waits for a device, and the page below says so. */
const REFUSED_WITHIN_MS = 1000

/** Yes sends the call; if the server refuses it for want of a proof, the proof's field replaces Yes and No. */
function AnswerAndSend({ question: { isDangerous = false, send: sendCall }, onEnd }: AnswerProps) {
  const [isSending, setIsSending] = useState(false)
  const [asked, setRequested] = useState<StepUpRequest>()
  const isWaiting = isSending && asked === undefined
  useEffect(() => (isSending ? waitingStepUps.takeAll(setRequested) : undefined), [isSending])
  // Whoever closes the question does not want to prove their identity.
  useEffect(() => () => asked?.onEnd(false), [asked])
  useEffect(() => {
    const timer = isWaiting ? setTimeout(() => onEnd(true), REFUSED_WITHIN_MS) : undefined
    return () => clearTimeout(timer)
  }, [isWaiting, onEnd])
  const onYes = () => {
    setIsSending(true)
    void sendCall?.().then(() => onEnd(true))
  }
  const onProof = (isProved: boolean) => {
    asked?.onEnd(isProved)
    setRequested(undefined)
  }
  if (asked) return <StepUpAsking submitLabel={YES_NO.confirm} isDangerous={isDangerous} onEnd={onProof} />
  return <YesNo isDangerous={isDangerous} isBusy={isSending} onYes={onYes} onNo={() => onEnd(false)} />
}

interface YesNoProps {
  readonly isDangerous: boolean
  readonly isBusy: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}

function YesNo({ isDangerous, isBusy, onYes, onNo }: YesNoProps) {
  const { labels, confirmProps, cancelProps } = askedAs(isDangerous)
  return (
    <Group justify="flex-end">
      <Button variant="default" {...cancelProps} onClick={onNo}>
        {labels.cancel}
      </Button>
      <Button {...confirmProps} loading={isBusy} onClick={onYes}>
        {labels.confirm}
      </Button>
    </Group>
  )
}

function QuestionText({ text }: { readonly text: string }) {
  return (
    <Text size="md" className="dialog-text">
      {text}
    </Text>
  )
}

const MOST_ROWS = 10

/** The text gets the focus and stays selected whole, also after a click into it. */
function SelectedText({ text }: { readonly text: string }) {
  return (
    <Textarea
      aria-label="Text to copy"
      mt="sm"
      rows={Math.min(text.split('\n').length, MOST_ROWS)}
      readOnly
      value={text}
      data-autofocus
      onFocus={({ currentTarget }) => currentTarget.select()}
      onClick={({ currentTarget }) => currentTarget.select()}
    />
  )
}

const NOTICE_LABELS = {
  labels: { confirm: 'Ok', cancel: '' },
  cancelProps: { display: 'none' },
  confirmProps: { 'data-autofocus': true },
} as const

const YES_NO = { confirm: 'Yes', cancel: 'No' }

const askedAs = (isDangerous: boolean) => ({
  labels: YES_NO,
  confirmProps: { color: isDangerous ? 'red' : 'brand' },
  // Enter pressed in a hurry must not do what cannot be undone.
  cancelProps: isDangerous ? { 'data-autofocus': true } : {},
})
