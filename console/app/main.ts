// This import stands first, because the policy must hold before any other code of the console runs.
import './trustedTypes.ts'
import '#console/ui/style/fonts.css'
import '#console/ui/style/tokens.css'
import '#console/ui/style/base.css'
import '#console/ui/style/print.css'
import { overviewPeriod } from '#console/features/insight/overview/overviewPeriod.ts'
import { beginCall } from '#console/lib/call/begunCalls.ts'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { listViews, VIEW_PAGES } from '#contract/http/devices/views.ts'
import { getDashboardValues, getWrongNow } from '#contract/http/insight/overview.ts'
import { getClientAuthData } from '#contract/http/people/signIn.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { FUNCTIONS_OF } from '#domain/permissions/permissions.ts'
import { loadKit, loadLogin, loadShell } from './parts.ts'
import { screenLoadersAt } from './screens.ts'

const loadSignedInPages = () => import('./signedInPages.tsx')
const OVERVIEW = ['/', '/overview']

// Everything that the page will need is requested at once, beside the program that draws it. A failure is ignored here,
// because drawing the page loads the part again and reports it.
const isOnOverview = OVERVIEW.includes(location.pathname)
const session = readSession()
const viewPage = VIEW_PAGES.find((page) => location.pathname === `/${page}`)
const guid = /^\/devices\/([\da-f-]{36})(\/|$)/.exec(location.pathname)?.[1] as DeviceGuid | undefined
const maySeeDevices = FUNCTIONS_OF.seeDevices.some((one) => session?.user.roleFunctions.includes(one))
const screen = screenLoadersAt(isOnOverview ? '/overview' : location.pathname)
const parts =
  session === undefined
    ? [loadLogin]
    : [loadSignedInPages, loadShell, ...(isOnOverview ? screen : [loadKit, ...screen])]
for (const load of parts) load().catch(() => undefined)
if (session !== undefined) beginCall(getClientAuthData, {})
if (maySeeDevices && viewPage !== undefined) beginCall(listViews, { page: viewPage })
if (maySeeDevices && guid !== undefined) beginCall(getDevice, { guid })
if (maySeeDevices && isOnOverview && location.search === '') {
  beginCall(getWrongNow, {})
  beginCall(getDashboardValues, overviewPeriod(Date.now()))
}
// A file runs when it arrives; what is done with it begins in a task of its own.
const begun = () => new Promise((resolve) => setTimeout(resolve))
void import('./drawConsole.tsx').then(({ drawConsole }) => {
  // The browser would ask for the font only when text is drawn, and draw all of it again when the font is there.
  document.fonts.load('1em "IBM Plex Sans Variable"').catch(() => undefined)
  return begun().then(drawConsole)
})
