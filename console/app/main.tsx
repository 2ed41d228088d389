import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '#console/ui/fonts.css'
import '#console/ui/tokens.css'
import '#console/ui/base.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepUserFresh } from '#console/lib/session.ts'
import { onSessionChange } from '#console/lib/sessionStore.ts'
import { ErrorBoundary } from '#console/ui/ErrorBoundary.tsx'
import { Providers } from './Providers.tsx'
import { createConsoleRouter } from './routes.tsx'
import { shareStyleNonce } from './styleNonce.ts'

shareStyleNonce()
const router = createConsoleRouter()
// The guards run again: who was signed out, here or in another tab, leaves for the login page.
onSessionChange(() => void router.invalidate())
keepUserFresh()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <Providers>
      <ErrorBoundary>
        <RouterProvider router={router} />
      </ErrorBoundary>
    </Providers>
  </StrictMode>,
)
