import type { Address } from '#console/router/addressText.ts'
import type { useNavigate } from '#console/router/Router.tsx'
import type { PaletteItem } from './paletteItems.ts'

/** How the palette is left. */
export interface PaletteWays {
  /** To an address. */
  readonly link: (to: Address) => Pick<PaletteItem, 'to' | 'run'>
  /** To an address, and this as soon as that page can. */
  readonly lead: (to: Address, then: () => void) => void
  /** For what is done where somebody is, when the palette is gone. */
  readonly leave: (then: () => void) => void
}

interface Deps {
  readonly navigate: ReturnType<typeof useNavigate>
  /** Closes the palette, and does this when it is gone. */
  readonly close: (then?: () => void) => void
}

export function paletteWays({ navigate, close }: Deps): PaletteWays {
  return {
    link: (to) => ({
      to,
      run: () => {
        close()
        navigate(to)
      },
    }),
    lead: (to, then) => {
      close()
      navigate(to)
      then()
    },
    leave: close,
  }
}
