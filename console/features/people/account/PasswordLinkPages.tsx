import { QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { queryClient } from '#console/lib/call/useCall.ts'
import { useLocation } from '#console/router/Router.tsx'
import { RequestResetScreen } from './RequestResetScreen.tsx'
import { SetPasswordScreen } from './SetPasswordScreen.tsx'

/** The token of an e-mailed link stands behind the number sign, which browsers send to no server. */
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

/** The token leaves the address at once, because an address is seen by others, kept in the history and copied. */
function useToken(): string | undefined {
  const { anchor, search } = useLocation()
  const inAddress = tokenOf({ hash: anchor, searchStr: search })
  const [token, setToken] = useState(inAddress)
  useLayoutEffect(() => {
    if (inAddress === undefined) return
    setToken(inAddress)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [inAddress])
  return token
}

/** A token belongs to the step of the history that brought it, until that is left. */
const useStep = () => useLocation().step

/** A user sets the first password at `/registration`. */
export function RegistrationPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Registration key={useStep()} />
    </QueryClientProvider>
  )
}

function Registration() {
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

/** `/reset-password` takes a new password with a token, and otherwise offers a link. */
export function ResetPasswordPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <ResetPassword key={useStep()} />
    </QueryClientProvider>
  )
}

function ResetPassword() {
  const token = useToken()
  if (token === undefined) return <RequestResetScreen />
  return (
    <SetPasswordScreen title="New password" lead="Choose a new password for your account." token={token} key={token} />
  )
}
