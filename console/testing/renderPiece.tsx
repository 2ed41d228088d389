import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Providers } from './Providers.tsx'

export const renderPiece = (piece: ReactNode) =>
  render(piece, { wrapper: ({ children }) => <Providers>{children}</Providers> })
