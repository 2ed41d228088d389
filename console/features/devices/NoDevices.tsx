import { Button } from '@mantine/core'
import { EmptyNote } from '#console/ui/notes.tsx'

interface Props {
  readonly isFiltered: boolean
  readonly page: number
  readonly onReset: () => void
}

/** Why the list is empty, and the way on. */
export function NoDevices({ isFiltered, page, onReset }: Props) {
  if (page > 1) return <EmptyNote title="There are no devices on this page" />
  if (!isFiltered) return <EmptyNote title="There are no devices yet" />
  return (
    <EmptyNote title="No device matches this filter">
      <Button variant="default" onClick={onReset}>
        Reset the filter
      </Button>
    </EmptyNote>
  )
}
