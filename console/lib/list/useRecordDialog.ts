import { useState } from 'react'
import type { ADDRESSES } from '#console/router/addresses.ts'
import { type Address, addressOf } from '#console/router/addressText.ts'
import { useLocation, useNavigate } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'

type Addresses = typeof ADDRESSES
/** These addresses name the record that is shown over their list. */
type ShowingPath = { [P in keyof Addresses]: 'shown' extends keyof Addresses[P] ? P : never }[keyof Addresses]

export interface RecordDialog<Row> {
  /** A dialog for a new record has none. */
  readonly open: { readonly record: Row | undefined } | undefined
  readonly add: () => void
  readonly show: (row: Row) => void
  readonly close: () => void
  readonly linkTo: (row: Row) => Address
}

/**
 * The dialog of a record is open by the address of its list, so that the names of records without a page of their own
 * are links like any other.
 */
export function useRecordDialog<Row>(
  path: ShowingPath,
  rows: readonly Row[] | undefined,
  idOf: (row: Row) => number,
): RecordDialog<Row> {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { values, given } = useAddress(path)
  const [isNew, setIsNew] = useState(false)
  const record = rows?.find((row) => idOf(row) === values.shown)
  const linkTo = (row: Row) => addressOf(pathname, { ...given, shown: idOf(row) })
  return {
    open: isNew || record !== undefined ? { record: isNew ? undefined : record } : undefined,
    add: () => setIsNew(true),
    show: (row) => navigate(linkTo(row)),
    close: () => {
      setIsNew(false)
      if (values.shown !== undefined) navigate(addressOf(pathname, { ...given, shown: undefined }), { replace: true })
    },
    linkTo,
  }
}
