import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '#console/ui/fonts.css'
import '#console/ui/tokens.css'
import '#console/ui/base.css'
import { createBrowserHistory } from '@tanstack/history'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepUserFresh } from '#console/lib/call/session.ts'
import { ErrorBoundary } from '#console/ui/ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { Console } from './pages.tsx'
import { shareStyleNonce } from './styleNonce.ts'

shareStyleNonce()
const history = createBrowserHistory()
keepUserFresh()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <Providers>
      <ErrorBoundary>
        <Console history={history} />
      </ErrorBoundary>
    </Providers>
  </StrictMode>,
)
