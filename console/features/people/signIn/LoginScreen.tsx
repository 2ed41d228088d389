import { useState } from 'react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { EntryScreen } from '#console/ui/page/EntryScreen.tsx'
import { LoginForm } from './LoginForm.tsx'
import type { NewFactorProps } from './NewFactorForm.tsx'
import { type FactorToProve, SecondFactorForm } from './SecondFactorForm.tsx'

const NewFactorForm = lazyPart<NewFactorProps>(() => import('./NewFactorForm.tsx').then((part) => part.NewFactorForm))

interface LoginScreenProps {
  /** The session has expired, and the page must say so, instead of leaving people to wonder. */
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
}

export function LoginScreen({ hasExpired, onSignedIn }: LoginScreenProps) {
  const [toProve, setToProve] = useState<FactorToProve>()
  const [note, setNote] = useState<string>()
  if (toProve) {
    const goBack = (why?: string) => {
      setNote(why)
      setToProve(undefined)
    }
    const { username, asked } = toProve
    const step = { username, challenge: asked.challenge, onSignedIn, onBack: goBack }
    return asked.newApp ? (
      <EntryScreen title="Add a second factor" lead="Your role requires one to sign in.">
        <NewFactorForm {...step} newApp={asked.newApp} />
      </EntryScreen>
    ) : (
      <EntryScreen title="Second factor" lead={leadOf(asked)}>
        <SecondFactorForm {...step} passkeys={asked.passkeys} />
      </EntryScreen>
    )
  }
  return (
    <EntryScreen title="Sign in" lead="Use the account your administrator gave you.">
      <LoginForm
        note={note}
        hasExpired={hasExpired}
        onSignedIn={onSignedIn}
        onFactorRequested={(username, asked) => setToProve({ username, asked })}
      >
        <p className="login-more">
          <Link to={address('/reset-password')}>Forgotten your password?</Link>
        </p>
      </LoginForm>
    </EntryScreen>
  )
}

const leadOf = ({ passkeys }: FactorToProve['asked']) =>
  passkeys
    ? 'Your passkey, the code that your authenticator app shows, or a recovery code.'
    : 'The code that your authenticator app shows, or a recovery code.'
