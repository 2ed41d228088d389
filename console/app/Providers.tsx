import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#console/lib/useCall.ts'
import { cssVariables, theme } from '#console/ui/theme.ts'
import { storedColorScheme } from './colorScheme.ts'

const colorSchemeManager = storedColorScheme()

/** The policy of the page allows only styles that carry the number of this very response. */
const styleNonce = () => document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="dark"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider modalProps={{ centered: true, size: 400 }}>
          <Notifications position="top-right" containerWidth={380} limit={6} />
          {children}
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
