import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { StaffOrCustomerPicker } from '#console/pickers/StaffOrCustomerPicker.tsx'
import { TimeZonePicker } from '#console/pickers/TimeZonePicker.tsx'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { DayField } from '#console/ui/form/DayField.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { listChannels } from '#contract/http/alerting/channels.ts'
import {
  LONGEST_TURN_DAYS,
  MOST_MEMBERS,
  type OnCallSchedule,
  setOnCallSchedule,
} from '#contract/http/alerting/onCall.ts'
import type { UserId } from '#domain/ids.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { routeMessages } from './routeMessages.ts'

interface Props {
  /** A new schedule has none. */
  readonly schedule: OnCallSchedule | undefined
  readonly onClose: () => void
}

interface MemberDraft {
  readonly key: number
  readonly userId: UserId | undefined
  readonly name: string
  readonly channelId: number | null
}

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function OnCallModal({ schedule, onClose }: Props) {
  const [members, setMembers] = useState<readonly MemberDraft[]>(
    () =>
      schedule?.members.map((member, key) => ({ ...member, key })) ?? [
        { key: 0, userId: undefined, name: '', channelId: null },
      ],
  )
  const form = useScheduleForm(schedule, members, onClose)
  const { field, values } = form
  const isEmpty = members.every(({ userId }) => userId === undefined)
  return (
    <FormModal
      title={schedule ? 'Edit on-call schedule' : 'Add on-call schedule'}
      size={560}
      onSubmit={form.submit}
      isBusy={form.isBusy}
      isDisabled={isEmpty}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus />
      {schedule === undefined && (
        <StaffOrCustomerPicker value={values.customerId} onChange={(customerId) => form.set({ customerId })} />
      )}
      <Group grow align="flex-start">
        <DayField
          label="First day"
          value={values.firstDay}
          onChange={(firstDay) => firstDay && form.set({ firstDay })}
        />
        <TimeField
          label="Hand-over"
          name="Hand-over"
          value={values.handOver}
          error={field('handOver').error}
          onChange={(handOver) => form.set({ handOver: handOver ?? '' })}
        />
        <NumberInput
          {...field('everyDays')}
          size="xs"
          hideControls
          min={1}
          max={LONGEST_TURN_DAYS}
          allowDecimal={false}
          suffix=" days"
        />
      </Group>
      <TimeZonePicker value={values.timeZone} onChange={(timeZone) => form.set({ timeZone })} />
      <MemberFields members={members} onChange={setMembers} />
      {isEmpty && <FormNote kind="info" text="Choose who is on call first." />}
    </FormModal>
  )
}

function useScheduleForm(schedule: OnCallSchedule | undefined, members: readonly MemberDraft[], onSaved: () => void) {
  return useCallForm(setOnCallSchedule, {
    labels: {
      name: 'Name',
      customerId: 'Customer',
      firstDay: 'First day',
      handOver: 'Hand-over',
      timeZone: 'Time zone',
      everyDays: 'Every',
    },
    initial: {
      name: schedule?.name ?? '',
      customerId: schedule?.customerId ?? undefined,
      firstDay: schedule?.firstDay ?? wallClock(new Date(), OWN_ZONE).date,
      handOver: schedule?.handOver ?? '08:00',
      timeZone: schedule?.timeZone ?? OWN_ZONE,
      everyDays: schedule?.everyDays ?? 7,
    },
    content: ({ customerId, name, ...values }) => ({
      ...values,
      id: schedule?.id ?? 0,
      name: name.trim(),
      customerId: customerId ?? null,
      members: members.flatMap(({ userId, channelId }) => (userId === undefined ? [] : [{ userId, channelId }])),
    }),
    saved: routeMessages.scheduleSaved,
    onSaved,
  })
}

interface MembersProps {
  readonly members: readonly MemberDraft[]
  readonly onChange: (members: readonly MemberDraft[]) => void
}

function MemberFields({ members, onChange }: MembersProps) {
  const channels = useCall(listChannels, {})
  const lastKey = Math.max(...members.map(({ key }) => key))
  const withRoom = (next: readonly MemberDraft[]) =>
    next.at(-1)?.userId !== undefined && next.length < MOST_MEMBERS
      ? [...next, { key: lastKey + 1, userId: undefined, name: '', channelId: null }]
      : next
  const change = (key: number, changes: Partial<MemberDraft>) =>
    onChange(withRoom(members.map((member) => (member.key === key ? { ...member, ...changes } : member))))
  return (
    <fieldset className="route-steps">
      <legend>On call, one after the other</legend>
      {members.map(({ key, userId, name, channelId }, place) => (
        <Group key={key} gap={8} wrap="nowrap">
          <div className="schedule-member">
            <UserPicker
              value={userId}
              chosenName={name || undefined}
              placeholder={place === 0 ? 'Who begins' : 'Who is next'}
              onChange={(next) => change(key, { userId: next })}
            />
          </div>
          <Select
            w={170}
            aria-label={`How member ${place + 1} is notified`}
            placeholder="By e-mail"
            clearable
            data={(channels.data ?? []).map((channel) => ({ value: String(channel.id), label: channel.name }))}
            value={channelId === null ? null : String(channelId)}
            onChange={(next) => change(key, { channelId: next === null ? null : Number(next) })}
          />
          <IconButton
            icon={IconTrash}
            size={30}
            aria-label={`Remove member ${place + 1}`}
            disabled={members.length === 1}
            onClick={() => onChange(members.filter((member) => member.key !== key))}
          />
        </Group>
      ))}
    </fieldset>
  )
}
