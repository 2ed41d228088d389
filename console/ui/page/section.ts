import { createContext } from 'react'
import type { Address } from '#console/router/addressText.ts'

export interface Section {
  readonly title: string
  readonly tabs: readonly { readonly label: string; readonly to: Address }[]
}

/** The pages on one subject are tabs of a section, whose title they share; undefined where a page stands alone. */
export const CurrentSection = createContext<Section | undefined>(undefined)
