import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { Select } from '#console/ui/kit/laterFields.ts'
import { getTimeZoneAt } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { degreesOf, detailsErrors } from './detailsValues.ts'
import type { DetailsForm } from './useDetailsForm.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const MOST_OFFERED = 100
const QUIET_MS = 400

interface Props {
  readonly device: Device
  readonly form: DetailsForm
}

/** Turn-off times use this zone: that of the position, until somebody chooses another. */
export function TimeZoneField({ device, form }: Props) {
  const zoneThere = useZoneOfNewPosition(device, form)
  const chosen = form.values.timeZone
  const isUnchanged = chosen === device.timeZone
  const hint =
    zoneThere !== undefined && zoneThere === chosen
      ? 'From the position.'
      : isUnchanged && device.timeZoneIsAssumed
        ? 'Assumed from the position or the country; choose one to fix it.'
        : chosen === null
          ? 'Will be taken from the position, else from the country.'
          : 'Off times use this time zone.'
  return (
    <Select
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="Automatic"
      data={chosen === null || ZONES.includes(chosen) ? ZONES : [chosen, ...ZONES]}
      searchable
      clearable
      limit={MOST_OFFERED}
      nothingFoundMessage="Nothing found"
      {...form.field('timeZone')}
    />
  )
}

/** It asks for the zone of a position that was picked here, and sets it; a zone chosen afterwards stays. */
function useZoneOfNewPosition(device: Device, form: DetailsForm): string | undefined {
  const errors = detailsErrors(form.values)
  const [latitude, longitude] = [degreesOf(form.values.latitude), degreesOf(form.values.longitude)]
  const hasMoved = latitude !== device.latitude || longitude !== device.longitude
  const isRequested = hasMoved && latitude !== null && longitude !== null && !errors.latitude && !errors.longitude
  const [asked] = useDebouncedValue(isRequested ? `${latitude} ${longitude}` : '', QUIET_MS)
  const [askedLatitude = 0, askedLongitude = 0] = asked.split(' ').map(Number)
  const answer = useCall(
    getTimeZoneAt,
    { latitude: askedLatitude, longitude: askedLongitude },
    { enabled: asked !== '', freshMs: Number.POSITIVE_INFINITY },
  )
  const zone = asked === '' || !isRequested ? undefined : answer.data?.timeZone
  const set = useRef(form.set)
  useEffect(() => {
    set.current = form.set
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each position that was asked for sets the zone once
  useEffect(() => {
    if (zone !== undefined) set.current({ timeZone: zone })
  }, [zone, asked])
  return zone
}
