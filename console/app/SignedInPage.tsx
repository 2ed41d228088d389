import { ProviderReturn } from '#console/features/people/signIn/ProviderReturn.tsx'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { safeWanted } from './guards.ts'

/** The user lands, as after a password, on the address first requested, otherwise at home. */
export function SignedInPage() {
  const navigate = useNavigate()
  return <ProviderReturn onSignedIn={(wanted) => navigate(safeWanted(wanted) ?? address('/'), { replace: true })} />
}
