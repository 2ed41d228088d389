import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'

interface Question {
  readonly title: string
  readonly text: string
  /** The change cannot be taken back: Yes is drawn as a warning. */
  readonly isDangerous?: boolean
}

const body = (text: string) => (
  <Text size="md" className="dialog-text">
    {text}
  </Text>
)

/** The shared "Ok" modal; resolves when it is closed. */
export function alertDialog(title: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: body(text),
      labels: { confirm: 'Ok', cancel: '' },
      cancelProps: { display: 'none' },
      confirmProps: { 'data-autofocus': true },
      onClose: resolve,
    })
  })
}

/** The shared "Yes / No" modal; closing it any other way is a No. */
export function confirmDialog({ title, text, isDangerous = false }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: body(text),
      labels: { confirm: 'Yes', cancel: 'No' },
      confirmProps: { color: isDangerous ? 'red' : 'brand' },
      // Enter pressed in a hurry must not do what cannot be undone.
      cancelProps: isDangerous ? { 'data-autofocus': true } : {},
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    })
  })
}
