import { answerByPasskey, isRpHere } from '#console/lib/session/passkeys.ts'
import { signInByFactor } from '#console/lib/session/session.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { EntryField } from './EntryField.tsx'
import { useCodeEntry } from './useCodeEntry.ts'

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
  const { field, failure, isBusy, attempt, submitWith } = useCodeEntry(LABEL, onBack)
  const enter = async (proof: Parameters<typeof signInByFactor>[0]) => {
    await signInByFactor(proof)
    onSignedIn()
  }
  const asked = passkeys && isRpHere(passkeys.rpId) ? { ...passkeys, challenge } : undefined
  const byPasskey = async (chosen: NonNullable<typeof asked>) =>
    enter({ username, challenge, passkey: await answerByPasskey(chosen) })

  return (
    <form className="login-form" noValidate onSubmit={submitWith((code) => enter({ username, challenge, code }))}>
      <EntryField {...field} autoCapitalize="none" autoFocus />
      <PlainButton type="submit" isMain isBusy={isBusy}>
        Sign in
      </PlainButton>
      {asked && (
        <PlainButton disabled={isBusy} onClick={() => void attempt(() => byPasskey(asked))}>
          Use passkey
        </PlainButton>
      )}
      <PlainButton onClick={() => onBack()}>Back</PlainButton>
      <div className="login-note">{failure !== undefined && <FormNote kind="failed" text={failure} />}</div>
    </form>
  )
}
