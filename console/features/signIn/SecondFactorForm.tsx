import { type FormEvent, useRef, useState } from 'react'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { signInByFactor } from '#console/lib/call/session.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { SecondFactorAsked } from '#contract/errors.ts'
import { required } from '#domain/validation/messages.ts'
import { EntryField } from './EntryField.tsx'
import { loginFailureText } from './loginFailureText.ts'

export interface FactorToProve {
  readonly username: string
  readonly asked: SecondFactorAsked
}

interface Props extends FactorToProve {
  readonly onSignedIn: () => void
  /** @param why undefined: they want to */
  readonly onBack: (why?: string) => void
}

const LABEL = 'Code'

/** The second half of a sign-in. */
export function SecondFactorForm({ username, asked: { challenge }, onSignedIn, onBack }: Props) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isSigningIn, setSigningIn] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSigningIn) return
    if (code.trim() === '') {
      setWrong(required(LABEL))
      return input.current?.focus()
    }
    setSigningIn(true)
    setFailure(undefined)
    try {
      await signInByFactor({ username, challenge, code })
      onSignedIn()
    } catch (thrown) {
      if (thrown instanceof CallFailed && thrown.code === 'challenge_not_valid')
        return onBack(messages.signInTookTooLong)
      setFailure(loginFailureText(thrown))
      setSigningIn(false)
      input.current?.focus()
      input.current?.select()
    }
  }

  return (
    <form className="login-form" noValidate onSubmit={(event) => void submit(event)}>
      <EntryField
        ref={input}
        label={LABEL}
        error={wrong}
        value={code}
        maxLength={40}
        type="text"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value)
          setWrong(undefined)
        }}
      />
      <PlainButton type="submit" isMain isBusy={isSigningIn}>
        Sign in
      </PlainButton>
      <PlainButton type="button" onClick={() => onBack()}>
        Back
      </PlainButton>
      <div className="login-note">{failure !== undefined && <FormNote kind="failed" text={failure} />}</div>
    </form>
  )
}
