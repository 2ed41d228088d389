import { Link } from '@tanstack/react-router'
import { EntryScreen } from '#console/ui/EntryScreen.tsx'
import { LoginForm } from './LoginForm.tsx'

interface LoginScreenProps {
  /** The session ended by itself: say so, instead of leaving people to wonder. */
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
}

export function LoginScreen({ hasExpired, onSignedIn }: LoginScreenProps) {
  return (
    <EntryScreen title="Sign in" lead="Use the account your administrator gave you.">
      <LoginForm hasExpired={hasExpired} onSignedIn={onSignedIn}>
        <p className="login-more">
          <Link to="/reset-password">Forgotten your password?</Link>
        </p>
      </LoginForm>
    </EntryScreen>
  )
}
