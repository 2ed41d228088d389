import { type FormEvent, useRef, useState } from 'react'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { signInByNewFactor } from '#console/lib/session/session.ts'
import { inGroups, QrCode } from '#console/ui/factor/QrCode.tsx'
import { RecoveryCodes } from '#console/ui/factor/RecoveryCodes.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { required } from '#domain/validation/messages.ts'
import { EntryField } from './EntryField.tsx'
import { loginFailureText } from './loginFailureText.ts'
import type { FactorStepProps } from './SecondFactorForm.tsx'

export interface NewFactorProps extends FactorStepProps {
  readonly newApp: { readonly secret: string; readonly uri: string }
}

const LABEL = 'Code that the app shows'
const NAME = 'Authenticator app'

type Entered = Awaited<ReturnType<typeof signInByNewFactor>>

/** A role may require a second factor, so one is added before the user enters. */
export function NewFactorForm({ username, challenge, newApp: { secret, uri }, onSignedIn, onBack }: NewFactorProps) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const [entered, setEntered] = useState<Entered>()
  const input = useRef<HTMLInputElement>(null)

  const add = async () => {
    setAdding(true)
    setFailure(undefined)
    try {
      setEntered(await signInByNewFactor({ username, challenge, code, name: NAME }))
    } catch (thrown) {
      if (thrown instanceof CallFailed && thrown.code === 'challenge_not_valid')
        return onBack(messages.signInTookTooLong)
      setFailure(loginFailureText(thrown))
      setAdding(false)
      input.current?.focus()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAdding) return
    if (code.trim() !== '') return void add()
    setWrong(required(LABEL))
    input.current?.focus()
  }

  if (entered) {
    const enter = () => {
      entered.enter()
      onSignedIn()
    }
    return <RecoveryCodes codes={entered.recoveryCodes} onDone={enter} />
  }
  return (
    <form className="login-form" noValidate onSubmit={submit}>
      <div className="login-new-app">
        <QrCode text={uri} label="QR code for the authenticator app" />
        <p className="factor-lead">
          Scan this with an authenticator app, or type the key into it: <code>{inGroups(secret)}</code>
        </p>
      </div>
      <EntryField
        ref={input}
        label={LABEL}
        error={wrong}
        value={code}
        maxLength={40}
        type="text"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value)
          setWrong(undefined)
        }}
      />
      <PlainButton type="submit" isMain isBusy={isAdding}>
        Add and sign in
      </PlainButton>
      <PlainButton onClick={() => onBack()}>Back</PlainButton>
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
    </form>
  )
}
