import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter, useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { listIncidents, MOST_MERGED_AT_ONCE, mergeIncidents } from '#contract/http/alerting/incidents.ts'
import type { IncidentId } from '#domain/ids.ts'
import { incidentMessages } from '../incidentLabels.ts'
import type { IncidentFormProps } from './AssignForm.tsx'

const QUIET_MS = 250
const MOST_OFFERED = 20

export function MergeForm({ incident, onEnd }: IncidentFormProps) {
  const navigate = useNavigate()
  const others = useOtherIncidents(incident.id)
  const { values, field, submit, isBusy, failure } = useCallForm(mergeIncidents, {
    labels: { otherIds: 'Other incidents' },
    initial: { otherIds: [] as string[] },
    content: ({ otherIds }) => ({ id: incident.id, otherIds: otherIds.map((id) => Number(id) as IncidentId) }),
    requires: ['otherIds'],
    keepsFailure: true,
    onSaved: ({ id }) => {
      toasts.success(incidentMessages.merged([incident.title, ...chosen]))
      // The oldest of the merged incidents remains.
      if (id !== incident.id) navigate(incidentPage(id), { replace: true })
      onEnd()
    },
    onFailed: () => void refreshAfter(mergeIncidents),
  })
  const chosen = values.otherIds.map(others.titleOf)
  const { otherIds } = values
  const unlisted = otherIds.filter((id) => !others.offered.some(({ value }) => value === id))
  return (
    <ModalForm
      onSubmit={submit}
      isBusy={isBusy}
      isDisabled={otherIds.length === 0}
      submitLabel={'Merge'}
      onCancel={onEnd}
    >
      {failure && <FormNote kind="failed" text={failure} />}
      <MultiSelect
        {...field('otherIds')}
        data-autofocus
        size="xs"
        withAsterisk={false}
        placeholder={otherIds.length === 0 ? 'Search by root cause or place' : ''}
        data={[...unlisted.map((value) => ({ value, label: others.titleOf(value) })), ...others.offered]}
        searchable
        searchValue={others.typed}
        onSearchChange={others.setTyped}
        // The server has already filtered the options.
        filter={({ options }) => options}
        hidePickedOptions
        maxValues={MOST_MERGED_AT_ONCE}
        nothingFoundMessage={others.nothingFound}
        maxDropdownHeight={260}
      />
      {chosen.length > 0 && <FormNote kind="info" text={incidentMessages.merges([incident.title, ...chosen])} />}
    </ModalForm>
  )
}

/** It searches the other open incidents on demand, and remembers the names of those that were offered once. */
function useOtherIncidents(id: IncidentId) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), QUIET_MS)
  const [known] = useState(() => new Map<string, string>())
  const found = useCall(
    listIncidents,
    { rowNum: 1, pageSize: MOST_OFFERED, ...(search === '' ? {} : { text: search }) },
    { keepsPrevious: true },
  )
  // An incident beyond one customer can be changed only by staff, who see all of it.
  const others = (found.data?.rows ?? []).filter((row) => row.id !== id && row.isWhole)
  for (const { id: other, title } of others) known.set(String(other), title)
  return {
    offered: others.map(({ id: other, title }) => ({ value: String(other), label: title })),
    titleOf: (other: string) => known.get(other) ?? `Incident ${other}`,
    typed,
    setTyped,
    nothingFound: found.isError ? 'Could not be loaded' : found.isFetching ? 'Loading…' : 'No other open incident',
  }
}
