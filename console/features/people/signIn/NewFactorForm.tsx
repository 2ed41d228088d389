import { useState } from 'react'
import { signInByNewFactor } from '#console/lib/session/session.ts'
import { inGroups, QrCode } from '#console/ui/factor/QrCode.tsx'
import { RecoveryCodes } from '#console/ui/factor/RecoveryCodes.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { EntryField } from './EntryField.tsx'
import type { FactorStepProps } from './SecondFactorForm.tsx'
import { useCodeEntry } from './useCodeEntry.ts'

export interface NewFactorProps extends FactorStepProps {
  readonly newApp: { readonly secret: string; readonly uri: string }
}

const LABEL = 'Code that the app shows'
const NAME = 'Authenticator app'

type Entered = Awaited<ReturnType<typeof signInByNewFactor>>

/** A role may require a second factor, so one is added before the user enters. */
export function NewFactorForm({ username, challenge, newApp: { secret, uri }, onSignedIn, onBack }: NewFactorProps) {
  const [entered, setEntered] = useState<Entered>()
  const { field, failure, isBusy, submitWith } = useCodeEntry(LABEL, onBack)
  const submit = submitWith(async (code) =>
    setEntered(await signInByNewFactor({ username, challenge, code, name: NAME })),
  )

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
      <EntryField {...field} inputMode="numeric" />
      <PlainButton type="submit" isMain isBusy={isBusy}>
        Add and sign in
      </PlainButton>
      <PlainButton onClick={() => onBack()}>Back</PlainButton>
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
    </form>
  )
}
