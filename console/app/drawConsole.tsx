import { createBrowserHistory } from '@tanstack/history'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { keepUserFresh } from '#console/lib/session/session.ts'
import { ErrorBoundary } from '#console/ui/page/ErrorBoundary.tsx'
// Follows the theme of other tabs from the first page on.
import '#console/ui/style/scheme.ts'
import { Notices } from './notices/Notices.tsx'
import { Console, fetchPage } from './pages.tsx'

export async function drawConsole() {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root element')
  const history = createBrowserHistory()
  keepUserFresh()
  await fetchPage(history.location.pathname)
  // In pieces of a few milliseconds: answers arrive meanwhile.
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
