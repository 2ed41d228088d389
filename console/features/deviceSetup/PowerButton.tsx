import { Button } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { type PowerAction, usePower } from './usePower.ts'

interface PowerButtonProps {
  readonly name: string
  /** What it acts on, where several buttons are called the same. */
  readonly of?: string
  readonly action: PowerAction
}

export function PowerButton({ name, of, action }: PowerButtonProps) {
  const { isBusy, isOutcomeOpen, perform } = usePower(action.command)
  return (
    <Button
      variant="default"
      className="power-button"
      loading={isBusy}
      disabled={isOutcomeOpen}
      title={isOutcomeOpen ? messages.outcomeOpen : name}
      {...(of === undefined ? {} : { 'aria-label': `${name}: ${of}` })}
      onClick={() => void perform(action)}
    >
      {name}
    </Button>
  )
}
