import { Button } from '@mantine/core'
import { IconFocusCentered, IconX } from '@tabler/icons-react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import type { MapPin } from '#console/ui/map/mapPin.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { formatNumber } from '#domain/units/numbers.ts'
import { PinList } from './PinList.tsx'

interface Props {
  readonly count: number
  readonly countInView: number
  readonly inView: readonly MapPin[]
  /** These devices were selected on the map because no zoom separates them. */
  readonly crowd: readonly MapPin[] | undefined
  readonly isFiltered: boolean
  readonly onShowAll: () => void
  readonly onLeaveCrowd: () => void
  readonly onReset: () => void
}

export function PlacesPanel({
  count,
  countInView,
  inView,
  crowd,
  isFiltered,
  onShowAll,
  onLeaveCrowd,
  onReset,
}: Props) {
  const isWhole = countInView === count
  return (
    <section className="places" aria-label="Devices on the map">
      <div className="places-head">
        <h2 aria-live="polite">
          {crowd ? `${formatNumber(crowd.length)} devices at one place` : countText(countInView, count)}
        </h2>
        {crowd ? (
          <IconButton icon={IconX} size={24} aria-label="Show all in view" onClick={onLeaveCrowd} />
        ) : (
          count > 0 &&
          !isWhole && (
            <ActionButton icon={IconFocusCentered} iconSize={14} size="compact-sm" onClick={onShowAll}>
              Show all
            </ActionButton>
          )
        )}
      </div>
      {!crowd && inView.length < countInView && (
        <p className="places-first">
          The first {formatNumber(inView.length)} by name. Zoom in or filter to list the others.
        </p>
      )}
      {(crowd ?? inView).length > 0 ? (
        <PinList label={crowd ? 'Devices at one place' : 'Devices in view'} pins={crowd ?? inView} />
      ) : (
        <Nothing hasPins={count > 0} isFiltered={isFiltered} onReset={onReset} />
      )}
    </section>
  )
}

function countText(shown: number, all: number): string {
  const [some, whole] = [formatNumber(shown), formatNumber(all)]
  return shown === all ? `${whole} in view` : `${some} of ${whole} in view`
}

interface NothingProps {
  readonly hasPins: boolean
  readonly isFiltered: boolean
  readonly onReset: () => void
}

function Nothing({ hasPins, isFiltered, onReset }: NothingProps) {
  if (hasPins) return <EmptyNote title="No device is in view" />
  if (!isFiltered) return <EmptyNote title="No device has a position yet" />
  return (
    <EmptyNote title="No device on the map matches this filter">
      <Button variant="default" onClick={onReset}>
        Reset the filter
      </Button>
    </EmptyNote>
  )
}
