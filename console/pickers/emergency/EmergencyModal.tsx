import { Select, TextInput } from '@mantine/core'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { CountryCodePicker } from '#console/pickers/CountryCodePicker.tsx'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { previewEmergencyDark, startEmergencyDark } from '#contract/http/insight/emergencyDark.ts'
import type { CustomerId } from '#domain/ids.ts'
import { EMERGENCY_WORD, LONGEST_EMERGENCY_HOURS } from '#domain/lightRules/emergencyDark.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { reachText } from './reachText.ts'

type EmergencyValues = {
  readonly customerId: CustomerId | undefined
  readonly country: string
  readonly place: string
  readonly tag: string
  readonly hours: string
  readonly reason: string
  readonly word: string
}

const HOURS = [1, 2, 4, 8, 12, LONGEST_EMERGENCY_HOURS]
const LABELS = {
  ...{ customerId: 'Customer', country: 'Country', place: 'Place', tag: 'Tag', hours: 'For', reason: 'Reason' },
  word: `Type ${EMERGENCY_WORD} to confirm`,
}

/** It darkens all displays of a customer, country, place or tag, once who does it has typed the word. */
export function EmergencyModal({ onClose }: { readonly onClose: () => void }) {
  const { customerId: own } = useUser()
  const { field, values, set, submit, isBusy, failure } = useCallForm(startEmergencyDark, {
    labels: LABELS,
    initial: {
      ...{ customerId: own as CustomerId | undefined, country: '', place: '', tag: '' },
      ...{ hours: '2', reason: '', word: '' },
    } as EmergencyValues,
    content: ({ hours, reason, word, ...reach }) => ({
      ...chosen(reach),
      ...{ reason, word: word.trim() as typeof EMERGENCY_WORD },
      until: new Date(Math.floor((serverNowMs() + Number(hours) * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
    }),
    saved: 'Emergency dark started',
    keepsFailure: true,
    onSaved: onClose,
  })
  const reach = chosen(values)
  const isChosen = Object.keys(reach).length > 0
  const preview = useCall(previewEmergencyDark, reach, { enabled: isChosen, keepsPrevious: true })
  const isReady = values.word.trim() === EMERGENCY_WORD && (preview.data?.devices ?? 0) > 0
  return (
    <FormModal
      title="Emergency dark"
      size={480}
      onSubmit={submit}
      isBusy={isBusy}
      isDisabled={!isReady}
      isDangerous
      submitLabel="Darken displays"
      onClose={onClose}
    >
      <p className="dialog-text">
        All displays that match go dark until the time is over or somebody ends it. Then each device gets the off times
        back that it had.
      </p>
      <CustomerPicker
        label="Customer"
        placeholder="Of all customers"
        value={values.customerId}
        onChange={(customerId) => set({ customerId })}
      />
      <CountryCodePicker value={values.country} onChange={(country) => set({ country })} />
      <TextInput {...field('place')} description="Words of the address" />
      <TextInput {...field('tag')} />
      <Select {...field('hours')} data={HOURS.map(hourOption)} allowDeselect={false} />
      <TextInput {...field('reason')} />
      <div className="dialog-text" role="status">
        {isChosen ? preview.data && reachText(preview.data) : 'Choose a customer, a country, a place or a tag.'}
      </div>
      <TextInput {...field('word')} placeholder={EMERGENCY_WORD} autoComplete="off" spellCheck={false} />
      {failure && <FormNote kind="failed" text={failure} />}
    </FormModal>
  )
}

const hourOption = (hours: number) => ({ value: String(hours), label: hours === 1 ? '1 hour' : `${hours} hours` })

type Reach = Pick<EmergencyValues, 'customerId' | 'country' | 'place' | 'tag'>

/** What is empty narrows nothing. */
const chosen = ({ customerId, country, place, tag }: Reach) => ({
  ...(customerId !== undefined && { customerId }),
  ...(country !== '' && { country }),
  ...(place.trim() !== '' && { place: place.trim() }),
  ...(tag.trim() !== '' && { tag: tag.trim() }),
})
