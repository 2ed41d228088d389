import { type FormEvent, useRef, useState } from 'react'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { answerByPasskey, isRpHere } from '#console/lib/session/passkeys.ts'
import { signInByFactor } from '#console/lib/session/session.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { required } from '#domain/validation/messages.ts'
import { EntryField } from './EntryField.tsx'
import { loginFailureText } from './loginFailureText.ts'

export interface FactorToProve {
  readonly username: string
  readonly asked: SecondFactorRequest
}

export interface FactorStepProps {
  readonly username: string
  readonly challenge: string
  readonly onSignedIn: () => void
  /** @param why undefined if the user wants to go back */
  readonly onBack: (why?: string) => void
}

interface Props extends FactorStepProps {
  readonly passkeys: SecondFactorRequest['passkeys']
}

const LABEL = 'Code'

export function SecondFactorForm({ username, challenge, passkeys, onSignedIn, onBack }: Props) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isSigningIn, setSigningIn] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const tryWith = async (prove: () => Promise<Parameters<typeof signInByFactor>[0]>) => {
    if (isSigningIn) return
    setSigningIn(true)
    setFailure(undefined)
    try {
      await signInByFactor(await prove())
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') return void tryWith(async () => ({ username, challenge, code }))
    setWrong(required(LABEL))
    input.current?.focus()
  }
  const asked = passkeys && isRpHere(passkeys.rpId) ? { ...passkeys, challenge } : undefined
  const byPasskey = async (chosen: NonNullable<typeof asked>) => ({
    username,
    challenge,
    passkey: await answerByPasskey(chosen),
  })

  return (
    <form className="login-form" noValidate onSubmit={submit}>
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
      {asked && (
        <PlainButton disabled={isSigningIn} onClick={() => void tryWith(() => byPasskey(asked))}>
          Use passkey
        </PlainButton>
      )}
      <PlainButton onClick={() => onBack()}>Back</PlainButton>
      <div className="login-note">{failure !== undefined && <FormNote kind="failed" text={failure} />}</div>
    </form>
  )
}
