import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import type { Address } from '#console/router/addressText.ts'
import type { Navigate } from '#console/router/Router.tsx'
import { focusFirstRow } from './focusFirstRow.ts'
import type { PaletteItem } from './paletteItems.ts'

export type PaletteWays = ReturnType<typeof paletteWays>

/** @param close closes the palette, and calls `then` when it has faded away */
export function paletteWays(navigate: Navigate, close: (then?: () => void) => void) {
  const open = (to: Address) => {
    close()
    navigate(to)
  }
  return {
    link: (to: Address): Pick<PaletteItem, 'to' | 'run'> => ({ to, run: () => open(to) }),
    /** The keys go on in its rows. */
    list: (to: Address): Pick<PaletteItem, 'to' | 'run'> => ({
      to,
      run: () => {
        focusFirstRow()
        open(to)
      },
    }),
    /** @param commandId the command that the page at this address runs as soon as it can */
    lead: (to: Address, commandId: string) => {
      open(to)
      runWhenAvailable(commandId)
    },
    leave: (then: () => void) => close(then),
  }
}
