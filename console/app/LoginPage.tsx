import { getRouteApi, useRouter } from '@tanstack/react-router'
import { LoginScreen } from '#console/features/signIn/LoginScreen.tsx'
import { sessionEnd } from '#console/lib/sessionStore.ts'

const route = getRouteApi('/login')

/** After sign-in one lands on the address first asked for, else at home. */
export function LoginPage() {
  const { wanted } = route.useSearch()
  const router = useRouter()
  return (
    <LoginScreen
      hasExpired={sessionEnd() === 'expired'}
      onSignedIn={() => void router.navigate({ href: wanted ?? '/', replace: true })}
    />
  )
}
