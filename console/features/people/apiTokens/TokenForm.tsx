import { Checkbox, Select, Switch, TextInput } from '@mantine/core'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useMay } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { TOKEN_SCOPES, type TokenScope } from '#contract/call/tokenScopes.ts'
import { createApiToken } from '#contract/http/people/apiTokens.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { tokenMessages } from './tokenMessages.ts'

const DURATIONS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]

interface Props {
  readonly onMade: (token: string, name: string) => void
  readonly onCancel: () => void
}

const LABELS = {
  name: 'Name',
  expiresInDays: 'Valid for',
  scopes: 'It may',
  customerId: 'Only of',
  machineId: 'Acts as',
  withFreshFactor: 'Include calls that need a second factor',
}

interface Draft {
  readonly name: string
  readonly expiresInDays: string
  readonly scopes: string[]
  readonly customerId: CustomerId | undefined
  readonly machineId: UserId | undefined
  readonly withFreshFactor: boolean
}

const NEW: Draft = {
  name: '',
  expiresInDays: '90',
  scopes: ['devices.read'],
  customerId: undefined,
  machineId: undefined,
  withFreshFactor: false,
}

/** It limits what a program may do, with which data, and for how long. */
export function TokenForm({ onMade, onCancel }: Props) {
  const isAdmin = useMay('admin')
  const form = useCallForm(createApiToken, {
    labels: LABELS,
    initial: NEW as Draft & Record<string, unknown>,
    content: ({ name, expiresInDays, scopes, customerId, machineId, withFreshFactor }) => ({
      name: name.trim(),
      expiresInDays: Number(expiresInDays),
      scopes: scopes as TokenScope[],
      customerId: customerId ?? null,
      withFreshFactor,
      ...(machineId !== undefined && { machineId }),
    }),
    refusals: { no_machine: 'machineId', too_many_api_tokens: 'name' },
    onSaved: ({ token }) => onMade(token, form.values.name.trim()),
  })
  const { field, switchField, values, submit, isBusy, set } = form
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Create token" onCancel={onCancel} label="New API token">
      <TextInput {...field('name')} placeholder="What uses it" data-autofocus />
      <Select {...field('expiresInDays')} data={DURATIONS} allowDeselect={false} />
      <Checkbox.Group {...field('scopes')}>
        <div className="token-scopes">
          {TOKEN_SCOPES.map(({ id, name, explanation }) => (
            <Checkbox key={id} size="xs" value={id} label={name} description={explanation} />
          ))}
        </div>
      </Checkbox.Group>
      <CustomerPicker
        label={LABELS.customerId}
        description="It sees only devices, alerts and people of this customer"
        placeholder="All customers"
        value={values.customerId}
        onChange={(customerId) => set({ customerId })}
      />
      {isAdmin && (
        <UserPicker
          {...field('machineId')}
          description="A machine is a user without a password. Its actions are then not recorded as yours"
          placeholder="Yourself"
          value={values.machineId}
          onChange={(machineId) => set({ machineId })}
          clearable
        />
      )}
      <Switch {...switchField('withFreshFactor')} checked={values.withFreshFactor} />
      <FormNote kind="info" text={tokenMessages.limits} />
    </ModalForm>
  )
}
