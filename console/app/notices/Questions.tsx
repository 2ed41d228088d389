import { Text, Textarea } from '@mantine/core'
import { ModalsProvider, modals } from '@mantine/modals'
import { useEffect } from 'react'
import { type Question, waitingQuestions } from '#console/lib/notice/dialogs.ts'

export function Questions() {
  useEffect(() => waitingQuestions.takeAll(ask), [])
  return <ModalsProvider modalProps={{ centered: true, size: 400 }}>{null}</ModalsProvider>
}

function ask({ title, text, selected, isTold = false, isDangerous = false, onAnswer }: Question) {
  modals.openConfirmModal({
    title,
    children: (
      <>
        <Text size="md" className="dialog-text">
          {text}
        </Text>
        {selected !== undefined && <SelectedText text={selected} />}
      </>
    ),
    onConfirm: () => onAnswer(true),
    // Of a question that was answered nobody hears this any more.
    onClose: () => onAnswer(false),
    ...(isTold ? (selected === undefined ? TOLD : { ...TOLD, confirmProps: {} }) : askedAs(isDangerous)),
  })
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
