import { createMemoryHistory } from '@tanstack/history'
import { act, cleanup, render } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach } from 'vitest'
import { queryClient } from '#console/lib/call/useCall.ts'
import { type Layout, type Page, Router } from '#console/router/Router.tsx'
import { getStepUpWays } from '#contract/http/people/factors.ts'
import { type ContractServer, startContractServer } from './contractServer.ts'
import { Providers } from './Providers.tsx'
import { signInAs } from './signInAs.ts'
import { standAt } from './standAt.ts'

/** It maps paths to screens; a screen inside another one is its `children`. An unknown address shows itself. */
export interface Screens {
  readonly [path: string]:
    | ComponentType
    | { readonly screen: Layout; readonly tabs: Readonly<Record<string, ComponentType>> }
}

export interface ScreenTest {
  readonly screens?: Screens
  readonly at?: string
  readonly signedIn?: Readonly<Record<string, unknown>> | 'nobody'
}

/**
 * It sets up what each test of a screen needs: its own server that answers as the test says, a signed-in user, and
 * `open()`, which draws the screens of an address. `emptyBrowser` removes what a test leaves.
 */
export function screenTest({ screens = {}, at = '/', signedIn = {} }: ScreenTest = {}) {
  // Each test has its own server under one name, so that a late call of an earlier test reaches nobody.
  const server = {} as ContractServer
  beforeEach(async () => {
    Object.assign(server, await startContractServer())
    // They have just signed in, which is a proof.
    server.answer(getStepUpWays, { isFresh: true, ways: ['password'] })
    standAt(`${server.url}/`)
    if (signedIn !== 'nobody') signInAs(signedIn)
  })
  afterEach(() => {
    // Components that are still on the screen would call a server that is gone.
    cleanup()
    server.stop()
  })
  return { server, open: (address = at, shown = screens) => drawScreens(shown, address) }
}

const ELSEWHERE: Page = { screen: () => <p>elsewhere</p> }

/** It behaves like a page that has just been loaded: nothing is remembered from one that was drawn before. */
async function drawScreens(screens: Screens, at: string) {
  queryClient.clear()
  const pages = Object.entries(screens).flatMap(([path, entry]): (readonly [string, Page])[] => {
    if (typeof entry === 'function') return [[path, { screen: entry }]]
    const within = [entry.screen]
    return Object.entries(entry.tabs).map(([tab, screen]) => [`${path}/${tab}`, { within, screen }])
  })
  const history = createMemoryHistory({ initialEntries: [at] })
  const view = render(
    <Providers>
      <Router history={history} pages={Object.fromEntries(pages)} otherwise={ELSEWHERE} />
    </Providers>,
  )
  return {
    ...view,
    address: () => history.location.href,
    back: () => act(() => history.back()),
    follow: (path: string) => act(() => history.push(path)),
  }
}
