import { Group, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { HoursFields, hoursFault } from '#console/pickers/HoursFields.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { listChannels } from '#contract/http/alerting/channels.ts'
import {
  LATEST_STEP_MINUTES,
  MOST_ROUTE_STEPS,
  type NotifyRoute,
  previewNotifyRoute,
  setNotifyRoute,
} from '#contract/http/alerting/notificationRoutes.ts'
import { listOnCallSchedules } from '#contract/http/alerting/onCall.ts'
import { isTag } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { routeMessages } from './routeMessages.ts'

interface Props {
  /** A new route has none. */
  readonly route: NotifyRoute | undefined
  readonly onClose: () => void
}

const READERS = 'readers'

interface StepDraft {
  readonly key: number
  readonly afterMinutes: number
  readonly target: string
}

const QUIET_MS = 300

const HOURS = {
  weekdays: [0, 1, 2, 3, 4],
  from: '18:00',
  to: '08:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}

const draftsOf = (route: NotifyRoute | undefined): readonly StepDraft[] =>
  route
    ? route.steps.map(({ afterMinutes, channelId, rotaId, readers }, key) => ({
        key,
        afterMinutes,
        target: readers ? READERS : channelId === undefined ? `schedule ${rotaId}` : `channel ${channelId}`,
      }))
    : [{ key: 0, afterMinutes: 0, target: '' }]

function stepOf({ afterMinutes, target }: StepDraft) {
  if (target === READERS) return { afterMinutes, readers: true as const }
  const [what, id] = target.split(' ')
  return { afterMinutes, ...(what === 'schedule' ? { rotaId: Number(id) } : { channelId: Number(id) }) }
}

export function RouteModal({ route, onClose }: Props) {
  const [steps, setSteps] = useState(() => draftsOf(route))
  const [hours, setHours] = useState(route?.hours ?? null)
  const form = useRouteForm({ route, steps, hours }, onClose)
  const { field, switchField, values } = form
  const fault =
    (hours && hoursFault(hours)) ??
    (steps.some(({ target }) => target === '') ? 'Choose who each step notifies.' : undefined)
  return (
    <FormModal
      title={route ? 'Edit route' : 'Add route'}
      size={560}
      onSubmit={form.submit}
      isBusy={form.isBusy}
      isDisabled={fault !== undefined}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus />
      <Group grow align="flex-start">
        <Select
          {...field('severityId')}
          data={[
            { value: '1', label: 'Critical' },
            { value: '2', label: 'Warning and worse' },
            { value: '3', label: 'All' },
          ]}
          allowDeselect={false}
        />
        <TextInput {...field('tag')} placeholder="Any" />
      </Group>
      {route?.customerId == null && (
        <CustomerPicker
          label="Of customer"
          description="Only this customer's incidents. Leave empty for all."
          placeholder="All customers"
          value={values.ofCustomerId as CustomerId | undefined}
          onChange={(ofCustomerId) => form.set({ ofCustomerId })}
        />
      )}
      <Switch
        label="Only within some hours"
        checked={hours !== null}
        onChange={({ currentTarget }) => setHours(currentTarget.checked ? HOURS : null)}
      />
      {hours && <HoursFields hours={hours} onChange={setHours} />}
      <StepFields steps={steps} onChange={setSteps} isOfStaff={route?.customerId == null} />
      {fault && <FormNote kind="info" text={fault} />}
      <Switch {...switchField('isOn')} checked={values.isOn} />
      {values.isOn && (
        <Switch
          {...switchField('tellsActive')}
          checked={values.tellsActive}
          description={<ActiveCount route={route} values={values} />}
        />
      )}
    </FormModal>
  )
}

interface Edited {
  readonly route: NotifyRoute | undefined
  readonly steps: readonly StepDraft[]
  readonly hours: NotifyRoute['hours']
}

function useRouteForm({ route, steps, hours }: Edited, onSaved: () => void) {
  return useCallForm(setNotifyRoute, {
    labels: {
      name: 'Name',
      severityId: 'Severity',
      ofCustomerId: 'Of customer',
      tag: 'Tag',
      isOn: 'On',
      tellsActive: 'Also notify about active incidents',
    },
    initial: {
      name: route?.name ?? '',
      severityId: String(route?.severityId ?? 2),
      ofCustomerId: route?.ofCustomerId ?? undefined,
      tag: route?.tag ?? '',
      isOn: route?.isOn ?? true,
      tellsActive: false,
    },
    content: ({ name, severityId, ofCustomerId, tag, isOn, tellsActive }) => ({
      id: route?.id ?? 0,
      name: name.trim(),
      severityId: Number(severityId),
      customerId: route?.customerId ?? null,
      ofCustomerId: ofCustomerId ?? null,
      tag: tag.trim(),
      isOn,
      tellsActive: isOn && tellsActive,
      hours,
      steps: steps.map(stepOf),
    }),
    saved: routeMessages.routeSaved,
    onSaved,
  })
}

interface ActiveProps {
  readonly route: NotifyRoute | undefined
  readonly values: { readonly severityId: string; readonly ofCustomerId: number | undefined; readonly tag: string }
}

function ActiveCount({ route, values: { severityId, ofCustomerId, tag } }: ActiveProps) {
  const [settled] = useDebouncedValue(tag.trim(), QUIET_MS)
  const { data } = useCall(
    previewNotifyRoute,
    {
      ...(route && { id: route.id }),
      severityId: Number(severityId),
      ...(ofCustomerId !== undefined && { ofCustomerId: ofCustomerId as CustomerId }),
      ...(isTag(settled) && { tag: settled }),
    },
    { keepsPrevious: true },
  )
  return routeMessages.active(data?.activeIncidents)
}

interface StepProps {
  readonly steps: readonly StepDraft[]
  readonly onChange: (steps: readonly StepDraft[]) => void
  /** A customer's route notifies only this customer's people. */
  readonly isOfStaff: boolean
}

function StepFields({ steps, onChange, isOfStaff }: StepProps) {
  const isCustomerUser = useIsCustomerUser()
  const channels = useCall(listChannels, {})
  const schedules = useCall(listOnCallSchedules, {})
  const data = [
    ...(isOfStaff && !isCustomerUser
      ? [{ group: 'E-mail', items: [{ value: READERS, label: 'Everybody with alert e-mails' }] }]
      : []),
    {
      group: 'Channels',
      items: (channels.data ?? []).map(({ id, name }) => ({ value: `channel ${id}`, label: name })),
    },
    {
      group: 'On-call schedules',
      items: (schedules.data ?? []).map(({ id, name }) => ({ value: `schedule ${id}`, label: name })),
    },
  ]
  const change = (key: number, changes: Partial<StepDraft>) =>
    onChange(steps.map((step) => (step.key === key ? { ...step, ...changes } : step)))
  const last = steps.at(-1)
  return (
    <fieldset className="route-steps">
      <legend>Notify until acknowledged</legend>
      {steps.map(({ key, afterMinutes, target }, place) => (
        <Group key={key} gap={8} wrap="nowrap" align="flex-end">
          <NumberInput
            w={110}
            size="xs"
            hideControls
            aria-label={`Minutes until step ${place + 1}`}
            min={0}
            max={LATEST_STEP_MINUTES}
            allowDecimal={false}
            prefix="after "
            suffix=" min"
            placeholder="immediately"
            value={afterMinutes || ''}
            onChange={(minutes) => change(key, { afterMinutes: Number(minutes) || 0 })}
          />
          <Select
            flex={1}
            aria-label={`Recipient of step ${place + 1}`}
            placeholder="Channel or on-call schedule"
            data={data}
            searchable
            allowDeselect={false}
            nothingFoundMessage={channels.isPending ? 'Loading…' : 'Nothing found'}
            value={target === '' ? null : target}
            onChange={(next) => change(key, { target: next ?? '' })}
          />
          <IconButton
            icon={IconTrash}
            size={30}
            aria-label={`Remove step ${place + 1}`}
            disabled={steps.length === 1}
            onClick={() => onChange(steps.filter((step) => step.key !== key))}
          />
        </Group>
      ))}
      {steps.length < MOST_ROUTE_STEPS && (
        <ActionButton
          icon={IconPlus}
          variant="subtle"
          onClick={() =>
            onChange([
              ...steps,
              { key: (last?.key ?? 0) + 1, afterMinutes: (last?.afterMinutes ?? 0) + 15, target: '' },
            ])
          }
        >
          Add step
        </ActionButton>
      )}
    </fieldset>
  )
}
