import { Logo } from '#console/ui/Logo.tsx'
import { useDocumentTitle } from '#console/ui/useDocumentTitle.ts'
import { LoginForm } from './LoginForm.tsx'
import { StreetScene } from './StreetScene.tsx'
import './LoginScreen.css'

interface LoginScreenProps {
  /** The session ended by itself: say so, instead of leaving people to wonder. */
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
}

export function LoginScreen({ hasExpired, onSignedIn }: LoginScreenProps) {
  useDocumentTitle('Sign in')
  return (
    <main className="login">
      <div className="login-scene">
        <StreetScene />
        <p className="login-claim">Every display on every street, in one place.</p>
        <p className="login-claim-more">
          Watch outdoor displays live, see what needs attention, and set it right without driving there.
        </p>
      </div>
      <div className="login-side">
        <div className="login-box">
          <div className="login-brand">
            <Logo size={34} />
            <span>Wayside</span>
          </div>
          <h1>Sign in</h1>
          <p className="login-lead">Use the account your administrator gave you.</p>
          <LoginForm hasExpired={hasExpired} onSignedIn={onSignedIn} />
        </div>
      </div>
    </main>
  )
}
