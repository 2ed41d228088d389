import { useEffect, useRef, useState } from 'react'
import { takeAttempt } from '#console/lib/session/providerAttempt.ts'
import { signInByProvider } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link, usePathName } from '#console/router/Router.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EntryScreen } from '#console/ui/page/EntryScreen.tsx'
import { loginFailureText } from './loginFailureText.ts'

const NOT_BEGUN_HERE = 'This sign-in did not begin in this tab. Please begin again.'
const OLD_ADDRESS =
  'Your identity provider sent you to an address that is no longer used, so you are not signed in. Begin again. If this comes back, an administrator has to copy the redirect address from Single sign-on to the identity provider.'

/**
 * Identity providers send people back to `/signed-in/…`, each to an address of its own. Opening it changes nothing: the
 * parameters are useful only in the tab that began, which sends them on and removes them from the address. Without the
 * last part it is the address that all providers once shared, which was safe for none of them.
 */
export function ProviderReturn({ onSignedIn }: { readonly onSignedIn: (wanted: string) => void }) {
  const [failure, setFailure] = useState<string>()
  const hasBegun = useRef(false)
  const redirectId = usePathName('redirectId')
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    const parameters = location.search.slice(1)
    const begun = takeAttempt()
    window.history.replaceState(window.history.state, '', location.pathname)
    if (redirectId === undefined) return setFailure(OLD_ADDRESS)
    if (!begun || parameters === '') return setFailure(NOT_BEGUN_HERE)
    signInByProvider({ attempt: begun.attempt, redirectId, parameters }).then(
      () => onSignedIn(begun.wanted),
      (thrown: unknown) => setFailure(loginFailureText(thrown)),
    )
  }, [onSignedIn, redirectId])
  return (
    <EntryScreen title="Sign in" lead={failure === undefined ? 'One moment …' : 'You are not signed in.'}>
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
      <p className="login-more">
        <Link to={address('/login')}>To the sign-in</Link>
      </p>
    </EntryScreen>
  )
}
