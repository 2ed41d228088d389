import type { RouterHistory } from '@tanstack/history'
import { readSession, sessionEnd } from '#console/lib/call/sessionStore.ts'
import { useSession } from '#console/lib/session/session.ts'
import { address, type Path } from '#console/router/addressText.ts'
import { type Page, pageAt, Router } from '#console/router/Router.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { fetchParts } from './fetchParts.ts'
import { detourOfSignedIn, detourOfVisitor } from './guards.ts'
import { loadKit, loadLogin } from './parts.ts'
import { ScreenFrame } from './ScreenFrame.tsx'
import type { SignedInPath } from './signedInPages.tsx'

const loadSignedInPages = () => import('./signedInPages.tsx')
const Kit = lazyPart(loadKit)
const LoginPage = lazyPart(loadLogin)
const SignedInPages = lazyPart(() => loadSignedInPages().then((part) => part.SignedInPages))
const SignedInPage = lazyPart(() => import('./SignedInPage.tsx').then((part) => part.SignedInPage))
const RegistrationPage = lazyPart(() =>
  import('#console/features/people/account/PasswordLinkPages.tsx').then((part) => part.RegistrationPage),
)
const ResetPasswordPage = lazyPart(() =>
  import('#console/features/people/account/PasswordLinkPages.tsx').then((part) => part.ResetPasswordPage),
)
const AcknowledgePage = lazyPart(() =>
  import('#console/features/alerting/incidents/acknowledge/AcknowledgePage.tsx').then((part) => part.AcknowledgePage),
)

const PAGES: Readonly<Record<Exclude<Path, SignedInPath>, Page>> = {
  '/login': { screen: LoginPage, detour: ({ given }) => detourOfSignedIn(readSession(), given.wanted)?.to },
  '/signed-in': { within: [Kit], screen: SignedInPage },
  '/signed-in/$redirectId': { within: [Kit], screen: SignedInPage },
  // These are open to everybody, signed in or not, because a link in a mail is opened in whatever browser is at hand.
  '/registration': { within: [Kit], screen: RegistrationPage },
  '/reset-password': { within: [Kit], screen: ResetPasswordPage },
  '/acknowledge': { within: [Kit], screen: AcknowledgePage },
}

/** The other pages have a table of their own, so that the sign-in page comes without it. */
const ALL_OTHERS: Page = {
  screen: SignedInPages,
  detour: ({ address: wanted }) => {
    const detour = detourOfVisitor(readSession(), sessionEnd(), wanted)
    return detour && address('/login', { wanted: detour.wanted })
  },
}

/** A sign-in or sign-out lets the guards decide again. */
export function Console({ history }: { readonly history: RouterHistory }) {
  useSession()
  return <Router history={history} pages={PAGES} otherwise={ALL_OTHERS} frame={ScreenFrame} />
}

/** It loads the code of the page at this address, whether anybody is signed in or not. */
export async function fetchPage(pathname: string): Promise<void> {
  const forAll = pageAt(pathname, PAGES)
  if (forAll) return fetchParts(forAll)
  if (readSession() === undefined) return fetchParts(PAGES['/login'])
  const signedIn = await loadSignedInPages()
  await Promise.all([SignedInPages.preload(), signedIn.fetchSignedIn(pathname)])
}
