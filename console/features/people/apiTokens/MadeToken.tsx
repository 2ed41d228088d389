import { Button } from '@mantine/core'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { tokenMessages } from './tokenMessages.ts'

interface Props {
  readonly token: string
  readonly name: string
  readonly onDone: () => void
}

export function MadeToken({ token, name, onDone }: Props) {
  return (
    <div className="token-made">
      <p>The token of “{name}”:</p>
      <div className="token-secret">
        <code>{token}</code>
        <CopyButton name="token" text={token} />
      </div>
      <FormNote kind="info" text={tokenMessages.shownOnce} />
      <div className="account-buttons">
        <Button onClick={onDone}>I have copied it</Button>
      </div>
    </div>
  )
}
