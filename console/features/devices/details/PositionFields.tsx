import { Group } from '@mantine/core'
import { IconMapPinOff } from '@tabler/icons-react'
import { quiet } from '#console/lib/call/whenQuiet.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { NumberInput } from '#console/ui/kit/laterFields.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { degreesOf, detailsErrors } from './detailsValues.ts'
import type { DetailsForm } from './useDetailsForm.ts'

// The form can be used before the map is there, which is a quarter as large as the rest of the page.
const PositionPicker = lazyPart(
  () =>
    quiet()
      .then(() => import('#console/pickers/PositionPicker.tsx'))
      .then((part) => part.PositionPicker),
  { meanwhile: () => <div className="details-map-place" aria-busy /> },
)

export function PositionFields({ form }: { readonly form: DetailsForm }) {
  const { latitude, longitude } = form.values
  const errors = detailsErrors(form.values)
  const [north, east] = [degreesOf(latitude), degreesOf(longitude)]
  const isPosition = north !== null && east !== null && !errors.latitude && !errors.longitude
  const degrees = (name: 'latitude' | 'longitude') => (
    <NumberInput
      size="xs"
      className="mono-input"
      hideControls
      decimalScale={7}
      allowedDecimalSeparators={['.', ',']}
      {...form.field(name)}
    />
  )
  return (
    <>
      <div className="details-map">
        <PositionPicker
          value={isPosition ? { latitude: north, longitude: east } : undefined}
          onChange={(position) => form.set(position)}
        />
        <p className="dim">
          {latitude === '' && longitude === ''
            ? 'No position yet. Click the map, or type it.'
            : 'Click the map or drag the pin to move the device.'}
        </p>
      </div>
      <Group gap="sm" wrap="nowrap" align="flex-start" className="details-degrees">
        {degrees('latitude')}
        {degrees('longitude')}
        <ActionButton
          icon={IconMapPinOff}
          iconSize={14}
          className="details-clear"
          aria-label="Clear the position"
          disabled={latitude === '' && longitude === ''}
          onClick={() => form.set({ latitude: '', longitude: '' })}
        >
          Clear
        </ActionButton>
      </Group>
    </>
  )
}
