import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'

import { Providers } from '#console/app/Providers.tsx'
import { keepSession } from '#console/lib/sessionStore.ts'
import { queryClient } from '#console/lib/useCall.ts'
import { signedInUser } from '#contract/http/app.ts'

type DetachedWindow = { readonly happyDOM: { setURL: (url: string) => void } }

/** Signs in without asking the server: a staff admin, or what `changes` makes of one. */
export function signInAs(changes: Readonly<Record<string, unknown>> = {}) {
  const user = signedInUser.parse({
    id: 1,
    username: 'eva@example.com',
    email: 'eva@example.com',
    firstName: 'Eva',
    lastName: 'Novak',
    roleId: 1,
    roleName: 'Administrator',
    roleFunctions: [1, 2, 3, 5],
    accountId: 1,
    isAdmin: true,
    isDeviceManager: true,
    isAnalyticsUser: true,
    isLab: false,
    isInternal: false,
    timeZone: '',
    ...changes,
  })
  keepSession({ accessToken: 'token', user })
}

/** Screens by their paths; one inside another stands in its `Outlet`. An address that none of them has shows itself. */
export interface Screens {
  readonly [path: string]:
    | RouteComponent
    | { readonly screen: RouteComponent; readonly tabs: Readonly<Record<string, RouteComponent>> }
}

/** Draws the screens of an address within the providers of the console. Calls go to `serverUrl`. */
export async function renderScreens(screens: Screens, at: string, serverUrl: string) {
  // Addresses of calls are relative to the page, so the page comes from the server of the test.
  ;(window as unknown as DetachedWindow).happyDOM.setURL(`${serverUrl}/`)
  queryClient.clear()
  const root = createRootRoute({ component: Outlet, notFoundComponent: () => <p>elsewhere</p> })
  const routes = Object.entries(screens).map(([path, entry]) => {
    if (typeof entry === 'function') return createRoute({ getParentRoute: () => root, path, component: entry })
    const parent = createRoute({ getParentRoute: () => root, path, component: entry.screen })
    const tabs = Object.entries(entry.tabs).map(([tab, component]) =>
      createRoute({ getParentRoute: () => parent, path: tab, component }),
    )
    return parent.addChildren(tabs)
  })
  const history = createMemoryHistory({ initialEntries: [at] })
  const router = createRouter({ routeTree: root.addChildren(routes), history })
  await router.load()
  const view = render(
    <Providers hasTransitions={false}>
      <RouterProvider router={router as never} />
    </Providers>,
  )
  return {
    ...view,
    address: () => history.location.href,
    back: () => history.back(),
    follow: (path: string) => history.push(path),
  }
}
