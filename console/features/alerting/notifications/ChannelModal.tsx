import { NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { HoursFields, hoursFault } from '#console/pickers/HoursFields.tsx'
import { StaffOrCustomerPicker } from '#console/pickers/StaffOrCustomerPicker.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { type Channel, MOST_PER_HOUR, setChannel, USUAL_PER_HOUR } from '#contract/http/alerting/channels.ts'
import {
  CHANNEL_KINDS,
  type ChannelField,
  type ChannelKind,
  channelDestination,
  channelFault,
  KINDS,
} from '#domain/notifications/channelKinds.ts'
import { TO_BE_GIVEN_ANEW } from '#domain/secrets/movedSecrets.ts'
import { channelMessages } from './channelMessages.ts'

interface Props {
  /** A new channel has none. */
  readonly channel: Channel | undefined
  readonly onKey: (key: string) => void
  readonly onClose: () => void
}

type Quiet = Channel['quiet']

const FIELDS: readonly ChannelField[] = ['address', 'recipient', 'user', 'issueType', 'transitionId']
const NO_SETTINGS = { address: '', recipient: '', user: '', issueType: '', transitionId: '' }
const QUIET = {
  from: '22:00',
  to: '06:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  tellsCritical: true,
}

/** The secret of a channel can be written, but never read. */
export function ChannelModal({ channel, onKey, onClose }: Props) {
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? 'webhook')
  const [quiet, setQuiet] = useState<Quiet>(channel?.quiet ?? null)
  const form = useChannelForm({ channel, kind, quiet }, (signingKey) => {
    onClose()
    if (signingKey !== null) onKey(signingKey)
  })
  const { field, switchField, values } = form
  const quietFault = quiet ? hoursFault(quiet) : undefined
  return (
    <FormModal
      title={channel ? 'Edit channel' : 'Add channel'}
      size={520}
      onSubmit={form.submit}
      isBusy={form.isBusy}
      isDisabled={quietFault !== undefined}
      onClose={onClose}
    >
      <Select
        label="Kind"
        data={CHANNEL_KINDS.map((one) => ({ value: one, label: KINDS[one].label }))}
        value={kind}
        disabled={channel !== undefined}
        allowDeselect={false}
        onChange={(next) => next && setKind(next as ChannelKind)}
      />
      <TextInput {...field('name')} data-autofocus />
      {channel === undefined && (
        <StaffOrCustomerPicker value={values.customerId} onChange={(customerId) => form.set({ customerId })} />
      )}
      <KindFields form={form} kind={kind} channel={channel} />
      <NumberInput
        {...field('mostPerHour')}
        size="xs"
        hideControls
        description="Further messages are sent as one digest"
        min={1}
        max={MOST_PER_HOUR}
        allowDecimal={false}
        suffix=" messages"
      />
      <QuietFields quiet={quiet} onChange={setQuiet} />
      {quietFault && <FormNote kind="failed" text={quietFault} />}
      <Switch {...switchField('isOn')} checked={values.isOn} />
    </FormModal>
  )
}

interface Edited {
  readonly channel: Channel | undefined
  readonly kind: ChannelKind
  readonly quiet: Quiet
}

const labelsOf = (kind: ChannelKind) => {
  const { fields, secret } = KINDS[kind]
  const labelOf = (field: ChannelField) => fields[field]?.label ?? field
  return {
    name: 'Name',
    customerId: 'Customer',
    address: labelOf('address'),
    recipient: labelOf('recipient'),
    user: labelOf('user'),
    issueType: labelOf('issueType'),
    transitionId: labelOf('transitionId'),
    secret: secret?.label ?? 'Secret',
    mostPerHour: 'Hourly limit',
    isOn: 'On',
  }
}

function useChannelForm({ channel, kind, quiet }: Edited, onSaved: (signingKey: string | null) => void) {
  const labels = labelsOf(kind)
  return useCallForm(setChannel, {
    labels,
    initial: {
      ...NO_SETTINGS,
      ...channel?.settings,
      name: channel?.name ?? '',
      customerId: channel?.customerId ?? undefined,
      secret: '',
      mostPerHour: channel?.mostPerHour ?? USUAL_PER_HOUR,
      isOn: channel?.isOn ?? true,
    },
    content: ({ name, customerId, secret, mostPerHour, isOn, ...settings }) => ({
      id: channel?.id ?? 0,
      name: name.trim(),
      kind,
      customerId: customerId ?? null,
      settings: ofKind(kind, settings),
      mostPerHour,
      quiet,
      isOn,
      ...(secret !== '' && { secret: secret.trim() }),
    }),
    check: ({ secret, ...settings }) => {
      const written = channel && secret === '' ? undefined : secret.trim()
      const kept = channel?.hasSecret && written === undefined
      const fault =
        channelFault(kind, ofKind(kind, settings), written) ??
        (kept && isMoved(channel, ofKind(kind, settings))
          ? { field: 'secret' as const, says: TO_BE_GIVEN_ANEW }
          : undefined)
      return fault ? { [fault.field]: `${labels[fault.field]} ${fault.says}` } : {}
    },
    saved: channelMessages.saved,
    onSaved: ({ signingKey }) => onSaved(signingKey),
  })
}

const isMoved = ({ kind, settings }: Channel, next: Channel['settings']) =>
  channelDestination(kind, settings, '') !== channelDestination(kind, next, '')

interface KindProps {
  readonly form: Pick<ReturnType<typeof useChannelForm>, 'field'>
  readonly kind: ChannelKind
  readonly channel: Channel | undefined
}

function KindFields({ form: { field }, kind, channel }: KindProps) {
  const { fields, secret } = KINDS[kind]
  return (
    <>
      {FIELDS.map((name) => {
        const known = fields[name]
        if (known === undefined) return null
        return (
          <TextInput
            key={name}
            {...field(name)}
            withAsterisk={known.isRequired}
            description={known.hint}
            placeholder={known.absent ?? ''}
            autoComplete="off"
          />
        )
      })}
      {secret && (
        <PasswordInput
          {...field('secret')}
          withAsterisk={secret.isRequired && channel === undefined}
          description={secret.hint}
          placeholder={channel?.hasSecret ? 'Kept; type to replace it' : ''}
          autoComplete="new-password"
        />
      )}
    </>
  )
}

function QuietFields({ quiet, onChange }: { readonly quiet: Quiet; readonly onChange: (quiet: Quiet) => void }) {
  return (
    <>
      <Switch
        label="Quiet hours"
        checked={quiet !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? QUIET : null)}
      />
      {quiet && (
        <>
          <HoursFields hours={quiet} onChange={onChange} />
          <Switch
            label="Critical incidents are still sent"
            checked={quiet.tellsCritical}
            onChange={({ currentTarget }) => onChange({ ...quiet, tellsCritical: currentTarget.checked })}
          />
        </>
      )}
    </>
  )
}

function ofKind(kind: ChannelKind, settings: Readonly<Record<ChannelField, string>>): Record<ChannelField, string> {
  const known = KINDS[kind].fields
  return Object.fromEntries(FIELDS.map((name) => [name, known[name] ? settings[name].trim() : ''])) as Record<
    ChannelField,
    string
  >
}
