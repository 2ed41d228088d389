import { kitPart } from '#console/ui/kit/kitPart.tsx'
import { useFirstUse } from '#console/ui/lazyPart.tsx'
import { UserButton } from './UserButton.tsx'

const AccountMenu = kitPart(() => import('./AccountMenu.tsx').then((part) => part.AccountMenu))

/** Who is signed in; with the first click comes what belongs to them. */
export function UserBox() {
  const [isHere, reach] = useFirstUse(AccountMenu)
  return isHere ? (
    <AccountMenu />
  ) : (
    <UserButton aria-haspopup="menu" aria-expanded={false} onClick={() => void reach()} />
  )
}
