import './kitStyles.ts'
import { MantineContext, MantineProvider } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { useScheme } from '#console/ui/style/scheme.ts'
import { shareStyleNonce, styleNonce } from './styleNonce.ts'
import { cssVariables, theme } from './theme.ts'

shareStyleNonce()

interface Props {
  readonly children: ReactNode
  readonly hasTransitions?: boolean
}

/** The parts of the kit need these providers. Within another one it adds nothing. */
export function Kit({ children, hasTransitions = true }: Props) {
  const scheme = useScheme()
  if (use(MantineContext) !== null) return children
  return (
    <MantineProvider
      env={hasTransitions ? 'default' : 'test'}
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={scheme}
      getStyleNonce={styleNonce}
      withStaticClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
