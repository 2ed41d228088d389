import { Button, Stack, TextInput } from '@mantine/core'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useIsCustomerUser, useMay } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { Age } from '#console/ui/Age.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { claimDevice, type FoundClaim, giveRecord } from '#contract/http/devices/claims.ts'
import { readPosition } from '#domain/devices/readPosition.ts'
import type { CustomerId, DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { claimMessages, macOf, serialOf } from './claimText.ts'

export interface ClaimedDevice {
  readonly guid: DeviceGuid
  readonly name: string
  readonly customerName: string
}

interface Props {
  readonly code: string
  readonly claim: FoundClaim
  readonly onClaimed: (device: ClaimedDevice) => void
  readonly onCancel: () => void
}

/** It shows what the device says of itself, and asks for what only people know. */
export function ClaimForm({ code, claim, onClaimed, onCancel }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const { field, submit, isBusy } = useCallForm(claimDevice, {
    labels: { customerId: 'Customer', modelId: 'Model', name: 'Name', address: 'Address', position: 'Position' },
    initial: {
      customerId: undefined as CustomerId | undefined,
      modelId: undefined as DeviceModelId | undefined,
      name: '',
      address: '',
      position: '',
    },
    content: ({ name, address, position, ...chosen }) => ({
      ...chosen,
      ...{ code, name: name.trim(), address: address.trim(), ...readPosition(position) },
    }),
    check: ({ position }) =>
      position.trim() !== '' && !readPosition(position)
        ? { position: 'Write latitude and longitude in degrees, such as 59.9139, 10.7522.' }
        : {},
    requires: isCustomerUser ? [] : ['customerId'],
    refusals: { claim_not_valid: 'name', claim_taken: 'name' },
    onSaved: onClaimed,
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Claim device" onCancel={onCancel} label="Claim device">
      <dl className="claim-facts">
        {factsOf(claim).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Seen</dt>
          <dd>
            <Age at={claim.seenAt} />
          </dd>
        </div>
      </dl>
      {claim.knownAs && <KnownNote code={code} known={claim.knownAs} onGiven={onClaimed} />}
      <Stack gap="md">
        <CustomerPicker isForNew {...field('customerId')} />
        <ModelPicker {...field('modelId')} />
        <TextInput {...field('name')} />
        <TextInput {...field('address')} />
        <TextInput {...field('position')} placeholder="59.9139, 10.7522" />
      </Stack>
    </ModalForm>
  )
}

interface KnownProps {
  readonly code: string
  readonly known: NonNullable<FoundClaim['knownAs']>
  readonly onGiven: (device: ClaimedDevice) => void
}

/** A box that was installed anew goes on with its record instead of getting another one. */
function KnownNote({ code, known, onGiven }: KnownProps) {
  const { name, customerName, id } = known
  const may = useMay(giveRecord.permission)
  const { confirm, isBusy } = useConfirmedChange(giveRecord)
  const give = () =>
    confirm(
      { body: { code, deviceId: id } },
      { title: 'Give the record', text: claimMessages.confirmGive(name, customerName), done: onGiven },
    )
  return (
    <>
      <FormNote kind="failed" text={claimMessages.known(name, customerName)} />
      {may && (
        <Button variant="default" loading={isBusy} onClick={() => void give()}>
          Give it the record of {name}
        </Button>
      )}
    </>
  )
}

function factsOf({ facts, address }: FoundClaim): readonly (readonly [string, string])[] {
  return [
    ['Computer', facts.model || UNKNOWN_TEXT],
    ['Serial number', serialOf(facts)],
    ['MAC address', macOf(facts)],
    ['Host name', facts.hostName || UNKNOWN_TEXT],
    ['Client version', facts.clientVersion || UNKNOWN_TEXT],
    ['Asks from', address],
  ]
}
