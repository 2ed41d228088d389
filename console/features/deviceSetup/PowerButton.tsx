import { Button } from '@mantine/core'
import { type PowerAction, usePower } from './usePower.ts'

interface PowerButtonProps {
  readonly name: string
  /** What it acts on, where several buttons are called the same. */
  readonly of?: string
  readonly action: PowerAction
}

export function PowerButton({ name, of, action }: PowerButtonProps) {
  const { isBusy, perform } = usePower()
  return (
    <Button
      variant="default"
      className="power-button"
      loading={isBusy}
      title={name}
      {...(of === undefined ? {} : { 'aria-label': `${name}: ${of}` })}
      onClick={() => void perform(action)}
    >
      {name}
    </Button>
  )
}
