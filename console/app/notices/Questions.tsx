import { Text } from '@mantine/core'
import { ModalsProvider, modals } from '@mantine/modals'
import { useEffect } from 'react'
import { type Question, waitingQuestions } from '#console/lib/notice/dialogs.ts'

export function Questions() {
  useEffect(() => waitingQuestions.takeAll(ask), [])
  return <ModalsProvider modalProps={{ centered: true, size: 400 }}>{null}</ModalsProvider>
}

function ask({ title, text, isTold = false, isDangerous = false, onAnswer }: Question) {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="md" className="dialog-text">
        {text}
      </Text>
    ),
    onConfirm: () => onAnswer(true),
    // Of a question that was answered nobody hears this any more.
    onClose: () => onAnswer(false),
    ...(isTold ? TOLD : askedAs(isDangerous)),
  })
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
