import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { ModalsProvider, modals } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { StepUpForm } from '#console/features/factors/StepUpModal.tsx'
import { send } from '#console/lib/call/api.ts'
import { queryClient } from '#console/lib/call/useCall.ts'
import { type Question, waitingQuestions } from '#console/lib/notice/dialogs.ts'
import type { AnswerOf } from '#contract/call/call.ts'
import { getStepUpWays } from '#contract/http/factors/factors.ts'

export function Questions() {
  useEffect(() => waitingQuestions.takeAll(ask), [])
  return <ModalsProvider modalProps={{ centered: true, size: 400 }}>{null}</ModalsProvider>
}

function ask(question: Question) {
  if (question.call?.stepUp === 'always') askWithProof(question)
  else askPlainly(question)
}

function askPlainly({ title, text, selected, isTold = false, isDangerous = false, onAnswer }: Question) {
  modals.openConfirmModal({
    title,
    children: (
      <>
        <QuestionText text={text} />
        {selected !== undefined && <SelectedText text={selected} />}
      </>
    ),
    onConfirm: () => onAnswer(true),
    // Of a question that was answered nobody hears this any more.
    onClose: () => onAnswer(false),
    ...(isTold ? (selected === undefined ? TOLD : { ...TOLD, confirmProps: {} }) : askedAs(isDangerous)),
  })
}

let askedBefore = 0

/** The call behind Yes would be refused without a fresh proof, and a second dialog would ask for it. */
function askWithProof(question: Question) {
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
          {/* A question that waits beneath another takes its place when that is answered, but not its answer. */}
          <AnswerWithProof key={number} question={question} onEnd={end} />
        </Stack>
      </QueryClientProvider>
    ),
  })
}

interface AnswerProps {
  readonly question: Question
  readonly onEnd: (isYes: boolean) => void
}

/** Yes and No at once; where the server wants a proof, its field stands above them as soon as that is known. */
function AnswerWithProof({ question: { isDangerous = false }, onEnd }: AnswerProps) {
  const [isYes, setIsYes] = useState(false)
  const [known, setKnown] = useState<AnswerOf<typeof getStepUpWays> | 'unknown'>()
  useEffect(() => {
    send(getStepUpWays, {}).then(setKnown, () => setKnown('unknown'))
  }, [])
  const needsProof = known !== undefined && known !== 'unknown' && !known.isFresh
  // Where nobody knows, the call is made, and the server asks.
  const isAnswered = isYes && known !== undefined && !needsProof
  useEffect(() => {
    if (isAnswered) onEnd(true)
  })
  const { labels, confirmProps, cancelProps } = askedAs(isDangerous)
  if (needsProof)
    return <StepUpForm known={known} submitLabel={labels.confirm} isDangerous={isDangerous} onEnd={onEnd} />
  return (
    <Group justify="flex-end">
      <Button variant="default" {...cancelProps} onClick={() => onEnd(false)}>
        {labels.cancel}
      </Button>
      <Button {...confirmProps} loading={isYes} onClick={() => setIsYes(true)}>
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

/** Has the focus and is selected whole, also after a click into it. */
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

const TOLD = {
  labels: { confirm: 'Ok', cancel: '' },
  cancelProps: { display: 'none' },
  confirmProps: { 'data-autofocus': true },
} as const

const askedAs = (isDangerous: boolean) => ({
  labels: { confirm: 'Yes', cancel: 'No' },
  confirmProps: { color: isDangerous ? 'red' : 'brand' },
  // Enter pressed in a hurry must not do what cannot be undone.
  cancelProps: isDangerous ? { 'data-autofocus': true } : {},
})
