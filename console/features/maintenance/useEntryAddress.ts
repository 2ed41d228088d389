import { useAddress } from '#console/lib/address.ts'

/** Which entry is open: an id, or a new one. It stands in the address, so that a link opens it and Back closes it. */
export type OpenEntry = number | 'new'

export function useEntryAddress() {
  const [search, change] = useAddress()
  const id = Number(search.entry)
  const entry: OpenEntry | undefined = search.entry === 'new' ? 'new' : Number.isInteger(id) && id > 0 ? id : undefined
  return {
    entry,
    open: (next: OpenEntry) => change({ entry: next }),
    close: () => change({ entry: undefined }, { replace: true }),
  }
}
