import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#console/lib/call/useCall.ts'
import { cssVariables, theme } from '#console/ui/theme.ts'
import { storedColorScheme } from './colorScheme.ts'
import { styleNonce } from './styleNonce.ts'

const colorSchemeManager = storedColorScheme()

interface ProvidersProps {
  readonly children: ReactNode
  /** Tests see the end of every transition at once. */
  readonly hasTransitions?: boolean
}

export function Providers({ children, hasTransitions = true }: ProvidersProps) {
  return (
    <MantineProvider
      env={hasTransitions ? 'default' : 'test'}
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="dark"
      getStyleNonce={styleNonce}
      withStaticClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider modalProps={{ centered: true, size: 400 }}>
          <Notifications position="bottom-right" containerWidth={380} limit={6} />
          {children}
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
