import { Checkbox, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { callKey, queryClient, useChange } from '#console/lib/call/useCall.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import { type DeviceDrivers, getDeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import type { DriverDescription } from '#domain/drivers/driverDescription.ts'
import type { DriverOption } from '#domain/drivers/driverOption.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type DriverDraft, draftOf, draftProblem, secretsOf, sentOptions, shownOptions } from './driverDraft.ts'
import { type DrivenPart, offeredDrivers } from './driverLabels.ts'

const NONE = { value: '', label: 'No driver' }

interface Props {
  readonly deviceId: DeviceId
  readonly part: DrivenPart
  readonly client: DeviceDrivers['client']
  readonly onClose: () => void
}

/** It chooses the driver of one part and its options. A stored secret is never shown. */
export function DriverForm({ deviceId, part, client, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(part))
  const [isTried, setIsTried] = useState(false)
  const offered = offeredDrivers(part.part)
  const description = offered.find(({ name }) => name === draft.driver)
  const problem = description && draftProblem(description, part, draft, client)
  const save = useChange(setDeviceDriver, {
    showsFailure: true,
    onDone: (answer) => {
      queryClient.setQueryData(callKey(getDeviceDrivers, { deviceId }), answer)
      toasts.success(deviceMessages.driverSaved)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (problem) return
    const options = description ? sentOptions(description, draft) : {}
    save.mutate({ body: { deviceId, part: part.part as never, driver: description?.name ?? null, options } })
  }
  const isUnknown = client !== null && description !== undefined && !client.known.includes(description.name)

  return (
    <ModalForm onSubmit={submit} onCancel={onClose} isBusy={save.isPending}>
      {client === null && <FormNote kind="info" text={deviceMessages.driversUnknown} />}
      {isUnknown && <FormNote kind="info" text={deviceMessages.driverUnknown} />}
      <Select
        label="Driver"
        data-autofocus
        allowDeselect={false}
        data={[NONE, ...offered.map(({ name, title }) => ({ value: name, label: title }))]}
        value={draft.driver ?? ''}
        onChange={(driver) => {
          setDraft({
            driver: driver || null,
            texts: driver === part.chosen?.driver ? draftOf(part).texts : {},
            taken: [],
          })
          setIsTried(false)
        }}
      />
      {description && (
        <DriverFields
          description={description}
          part={part}
          draft={draft}
          wrongField={isTried ? problem?.field : undefined}
          reason={problem?.reason ?? ''}
          onChange={setDraft}
        />
      )}
      {save.isError && <FormNote kind="failed" text={failureMessage(save.error)} />}
    </ModalForm>
  )
}

interface FieldsProps {
  readonly description: DriverDescription
  readonly part: DrivenPart
  readonly draft: DriverDraft
  readonly wrongField: string | undefined
  readonly reason: string
  readonly onChange: (draft: DriverDraft) => void
}

function DriverFields({ description, part, draft, wrongField, reason, onChange }: FieldsProps) {
  const { kept, lost } = secretsOf(description, part, draft)
  const type = (name: string, text: string) => onChange({ ...draft, texts: { ...draft.texts, [name]: text } })
  return shownOptions(description).map(([name, option]) => {
    const shared = {
      label: option.label,
      withAsterisk: option.isRequired,
      value: draft.texts[name] ?? '',
      error: wrongField === name ? `${option.label} ${reason}` : undefined,
    }
    if (option.kind === 'secret') {
      return (
        <SecretField
          key={name}
          {...shared}
          state={kept.includes(name) ? 'kept' : lost.includes(name) ? 'lost' : 'none'}
          isTaken={draft.taken.includes(name)}
          onTake={(isTaken) =>
            onChange({ ...draft, taken: [...draft.taken.filter((one) => one !== name), ...(isTaken ? [name] : [])] })
          }
          onType={(text) => type(name, text)}
        />
      )
    }
    if (option.kind === 'choice') {
      return (
        <Select
          key={name}
          {...shared}
          data={[...(option.values ?? [])]}
          value={draft.texts[name] ?? fallbackText(option) ?? null}
          allowDeselect={!option.isRequired}
          onChange={(value) => type(name, value ?? '')}
        />
      )
    }
    return (
      <TextInput
        key={name}
        {...shared}
        autoComplete="off"
        inputMode={option.kind === 'integer' ? 'numeric' : undefined}
        placeholder={fallbackText(option)}
        onChange={(event) => type(name, event.currentTarget.value)}
      />
    )
  })
}

const fallbackText = ({ fallback }: DriverOption<unknown>) => (fallback === undefined ? undefined : String(fallback))

interface SecretFieldProps {
  readonly label: string
  readonly withAsterisk: boolean
  readonly value: string
  readonly error: string | undefined
  readonly state: 'none' | 'kept' | 'lost'
  readonly isTaken: boolean
  readonly onTake: (isTaken: boolean) => void
  readonly onType: (text: string) => void
}

function SecretField({ state, isTaken, onTake, onType, withAsterisk, ...field }: SecretFieldProps) {
  const isKept = state === 'kept'
  return (
    <div className="driver-secret">
      <PasswordField
        {...field}
        withAsterisk={withAsterisk && !isKept}
        autoComplete="new-password"
        disabled={isTaken}
        placeholder={isKept && !isTaken ? 'Set' : undefined}
        description={
          isKept
            ? 'Left empty, it stays as it is.'
            : state === 'lost'
              ? 'Enter it again: the driver connects to another address.'
              : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {state !== 'none' && (
        <Checkbox
          size="xs"
          label={`Take the ${field.label.toLowerCase()} away`}
          checked={isTaken}
          onChange={(event) => onTake(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}
