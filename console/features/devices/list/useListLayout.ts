import { useEffect, useState } from 'react'
import { lookOf } from '#console/lib/list/listAddress.ts'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useUser } from '#console/lib/session/session.ts'
import { type Given, withoutAbsent } from '#console/router/addressText.ts'
import { readAddress } from '#console/router/useAddress.ts'
import type { DeviceColumn } from '#contract/call/listOptions.ts'

export interface ListLayout {
  readonly columns: readonly DeviceColumn[]
  readonly isCompact: boolean
  readonly isChosen: boolean
}

const DEFAULT_COLUMNS: readonly DeviceColumn[] = ['model', 'name', 'address', 'now', 'status', 'connected', 'alerts']
const DEFAULT_TEXT = DEFAULT_COLUMNS.join('.')
export const DEFAULT_LAYOUT: ListLayout = { columns: DEFAULT_COLUMNS, isCompact: false, isChosen: false }

interface ListAddress {
  readonly values: Given
  readonly isRestoring: boolean
  readonly rewrite: (next: Given) => void
}

/**
 * The layout comes from the address, otherwise from this user's last visit in this browser, which is then written into
 * the address, so that a copied link shows the same.
 */
export function useListLayout({ values, isRestoring, rewrite }: ListAddress) {
  const { id: userId } = useUser()
  const key = `devices.look.${userId}`
  const [kept, setKept] = useState(() => lookOf(readAddress('/devices', readRemembered(key))))
  const said = lookOf(values)
  const isOwn = Object.keys(said).length === 0 && Object.keys(kept).length > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each address that says none
  useEffect(() => {
    if (isOwn && !isRestoring) rewrite({ ...values, ...kept })
  }, [isOwn, isRestoring])

  return {
    layout: readLayout(isOwn ? kept : said),
    setLayout: (next: ListLayout) => {
      const written = writeLayout(next)
      // A change to a saved view is kept with that view, or not at all.
      if (values.view === undefined) {
        setKept(written)
        remember(key, written)
      }
      rewrite({ ...values, columns: undefined, density: undefined, ...written })
    },
  }
}

function readLayout({ columns, density }: Given): ListLayout {
  const words = typeof columns === 'string' ? (columns.split('.') as DeviceColumn[]) : DEFAULT_COLUMNS
  // A row without a name could not be recognised.
  const named = words.includes('name') ? words : (['name', ...words] as const)
  return { columns: named, isCompact: density === 'compact', isChosen: columns !== undefined }
}

function writeLayout({ columns, isCompact }: ListLayout): Given {
  const text = columns.join('.')
  return withoutAbsent({
    columns: text === DEFAULT_TEXT ? undefined : text,
    density: isCompact ? 'compact' : undefined,
  })
}
