import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Providers } from './Providers.tsx'

/** It draws one part of the interface within the providers of the console. */
export const renderPiece = (piece: ReactNode) =>
  render(piece, { wrapper: ({ children }) => <Providers>{children}</Providers> })
