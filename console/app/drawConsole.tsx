import { createBrowserHistory } from '@tanstack/history'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { keepUserFresh } from '#console/lib/session/session.ts'
import { ErrorBoundary } from '#console/ui/page/ErrorBoundary.tsx'
// This import makes the console follow the theme of other tabs from the first page on.
import '#console/ui/style/scheme.ts'
import { Notices } from './notices/Notices.tsx'
import { Console, fetchPage } from './pages.tsx'

export async function drawConsole() {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root element')
  const history = createBrowserHistory()
  keepUserFresh()
  await fetchPage(history.location.pathname)
  // React draws in pieces of a few milliseconds, so that answers can arrive meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary>
          <Console history={history} />
        </ErrorBoundary>
        <Notices />
      </StrictMode>,
    ),
  )
}
