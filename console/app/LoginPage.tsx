import { LoginScreen } from '#console/features/people/signIn/LoginScreen.tsx'
import { sessionEnd } from '#console/lib/call/sessionStore.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { safeWanted } from './guards.ts'

/** After sign-in the user lands on the address first requested, otherwise at home. */
export function LoginPage() {
  const { values } = useAddress('/login')
  const navigate = useNavigate()
  return (
    <LoginScreen
      hasExpired={sessionEnd() === 'expired'}
      onSignedIn={() => navigate(safeWanted(values.wanted) ?? address('/'), { replace: true })}
    />
  )
}
