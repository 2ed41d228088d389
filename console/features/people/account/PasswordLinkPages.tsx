import { QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { queryClient } from '#console/lib/call/useCall.ts'
import { useLocation } from '#console/router/Router.tsx'
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

/**
 * The token, which leaves the address at once: an address is seen over a shoulder, kept in the history of the browser and
 * copied along with it.
 */
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

/** Counts the steps of the history; a token is that of the step that brought it, until it is left. */
const useStep = () => useLocation().step

/** `/registration`: the first password. */
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

/** `/reset-password`: a new password with a token, else the way to one. */
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
