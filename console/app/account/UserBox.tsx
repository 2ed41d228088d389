import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { UserButton } from './UserButton.tsx'

const AccountMenu = lazyPart(() => import('./AccountMenu.tsx').then((part) => part.AccountMenu))

/** Who is signed in. The menu is loaded by the first click. */
export function UserBox() {
  const [isHere, reach] = useFirstUse(AccountMenu)
  return isHere ? (
    <AccountMenu />
  ) : (
    <UserButton aria-haspopup="menu" aria-expanded={false} onClick={() => void reach()} />
  )
}
