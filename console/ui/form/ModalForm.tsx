import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'

interface Props {
  /** It is undefined while nothing can be submitted. */
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly onCancel: () => void
  readonly submitLabel?: string
  readonly isBusy?: boolean
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly label?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** Every form in a modal has its fields, and a foot with Cancel and its own action. */
export function ModalForm({ onSubmit, onCancel, submitLabel = 'Save', label, aside, children, ...is }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} aria-label={label}>
      <Stack gap="md">
        {children}
        <Group justify="flex-end" gap="sm">
          {aside}
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={is.isBusy ?? false}
            disabled={is.isDisabled ?? false}
            {...(is.isDangerous ? { color: 'red' } : {})}
          >
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
