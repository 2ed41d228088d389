import { useLocation } from '@tanstack/react-router'
import { RequestResetScreen } from './RequestResetScreen.tsx'
import { SetPasswordScreen } from './SetPasswordScreen.tsx'

/** The token of an e-mailed link stands behind the number sign, which browsers send to nobody. */
export function tokenOf({
  hash,
  searchStr,
}: {
  readonly hash: string
  readonly searchStr: string
}): string | undefined {
  const inHash = new URLSearchParams(hash.replace(/^#/, '')).get('token')
  return inHash ?? new URLSearchParams(searchStr).get('token') ?? undefined
}

const useToken = () => useLocation({ select: tokenOf })

/** `/registration`: the first password. */
export function RegistrationPage() {
  const token = useToken()
  return (
    <SetPasswordScreen
      title="Welcome to Wayside"
      lead="Choose a password for your account."
      token={token ?? 'missing'}
      key={token}
    />
  )
}

/** `/reset-password`: a new password with a token, else the way to one. */
export function ResetPasswordPage() {
  const token = useToken()
  if (token === undefined) return <RequestResetScreen />
  return (
    <SetPasswordScreen title="New password" lead="Choose a new password for your account." token={token} key={token} />
  )
}
