import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { UserButton } from './UserButton.tsx'

const AccountMenu = lazyPart(() => import('./AccountMenu.tsx').then((part) => part.AccountMenu))

/** The first click loads the menu. */
export function UserBox() {
  const [isHere, reach] = useFirstUse(AccountMenu)
  return isHere ? (
    <AccountMenu />
  ) : (
    <UserButton aria-haspopup="menu" aria-expanded={false} onClick={() => void reach()} />
  )
}
