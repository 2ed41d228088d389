import { Button } from '@mantine/core'
import { pageOf } from '#console/lib/listAddress.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { type AlertListAddress, filterOf, isFiltered } from './alertListAddress.ts'

interface Props {
  readonly address: AlertListAddress
  /** False on the page of a device. */
  readonly hasDevices: boolean
  readonly onReset: () => void
}

/** Why the list is empty, and the way on. */
export function NoAlerts({ address, hasDevices, onReset }: Props) {
  const { deviceId, ...others } = filterOf(address)
  if (pageOf(address) > 1) return <EmptyNote title="There are no alerts on this page" />
  if (!isFiltered(hasDevices ? address : others)) return <EmptyNote title="There are no opened alerts" />
  return (
    <EmptyNote title="No alert matches this filter">
      <Button variant="default" onClick={onReset}>
        Reset the filter
      </Button>
    </EmptyNote>
  )
}
