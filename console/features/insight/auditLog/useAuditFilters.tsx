import { IconSearch } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import type { FilterChange, ListFilter } from '#console/lib/list/listAddress.ts'
import { LookupPicker } from '#console/pickers/LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { Filters, MoreFilter } from '#console/ui/filter/filters.ts'
import { momentFields } from '#console/ui/filter/momentFields.tsx'
import { listAuditActions, listAuditEntityTypes } from '#contract/http/insight/auditLog.ts'

interface Options {
  readonly filter: ListFilter<'/audit-log'>
  readonly chosenUsername: string | undefined
  readonly chosenThing: string | undefined
  readonly onChange: (change: FilterChange<'/audit-log'>, way?: Way) => void
}

export function useAuditFilters({ filter, chosenUsername, chosenThing, onChange }: Options): Filters {
  const actions = useCall(listAuditActions, {}, { freshMs: LOOKUP_FRESH_MS })
  const entityTypes = useCall(listAuditEntityTypes, {}, { freshMs: LOOKUP_FRESH_MS })
  return {
    primary: [
      <LookupPicker
        key="action"
        name="Action"
        placeholder="All actions"
        lookup={actions}
        value={filter.actionId}
        onChange={(actionId) => onChange({ actionId })}
      />,
      <LookupPicker
        key="entity"
        name="Entity"
        placeholder="All entities"
        lookup={entityTypes}
        value={filter.entityTypeId}
        onChange={(entityTypeId) => onChange({ entityTypeId })}
      />,
      <FilterText
        key="name"
        name="Name"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.entityName ?? ''}
        onChange={(text, way) => onChange({ entityName: text }, way)}
      />,
      <UserPicker
        key="user"
        placeholder="All users"
        clearable
        value={filter.userId}
        chosenName={chosenUsername}
        onChange={(userId) => onChange({ userId })}
      />,
      ...momentFields({ fromName: 'From', toName: 'To', filter, onChange }),
    ],
    more: [whatChanged({ filter, onChange }), ...chipsOnly({ filter, chosenThing, onChange })],
  }
}

function whatChanged({ filter: { changed }, onChange }: Pick<Options, 'filter' | 'onChange'>): MoreFilter {
  return {
    label: 'What changed',
    field: (
      <FilterText
        name="What changed"
        placeholder="A setting, field or detail"
        value={changed ?? ''}
        onChange={(text, way) => onChange({ changed: text }, way)}
      />
    ),
    chip: changed && `Changed: ${changed}`,
    onRemove: () => onChange({ changed: undefined }),
  }
}

/** Links bring these parts of a filter, and no field sets them. */
function chipsOnly({ filter, chosenThing, onChange }: Omit<Options, 'chosenUsername'>): readonly MoreFilter[] {
  return [
    {
      label: 'Details',
      chip: filter.details && `Details: ${filter.details}`,
      onRemove: () => onChange({ details: undefined }),
    },
    {
      label: 'Changes by others',
      chip: filter.byOthers && 'Changes by others',
      onRemove: () => onChange({ byOthers: undefined }),
    },
    {
      label: 'Bulk action',
      chip: filter.bulkId === undefined ? undefined : 'Only one bulk action',
      onRemove: () => onChange({ bulkId: undefined }),
    },
    {
      label: 'Only one',
      chip: filter.entityId === undefined ? undefined : `Only ${chosenThing ?? `id ${filter.entityId}`}`,
      onRemove: () => onChange({ entityId: undefined, entityTypeId: undefined }),
    },
  ]
}
