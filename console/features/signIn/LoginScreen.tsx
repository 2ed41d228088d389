import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
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
          <Link to={address('/reset-password')}>Forgotten your password?</Link>
        </p>
      </LoginForm>
    </EntryScreen>
  )
}
