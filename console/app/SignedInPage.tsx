import { ProviderReturn } from '#console/features/people/signIn/ProviderReturn.tsx'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { safeWanted } from './guards.ts'

/** After an identity provider one lands, as after a password, on the address first asked for, else at home. */
export function SignedInPage() {
  const navigate = useNavigate()
  return <ProviderReturn onSignedIn={(wanted) => navigate(safeWanted(wanted) ?? address('/'), { replace: true })} />
}
