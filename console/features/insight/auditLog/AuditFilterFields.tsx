import { Button } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import type { FilterChange, ListFilter } from '#console/lib/list/listAddress.ts'
import { LookupPicker } from '#console/pickers/LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { MomentFields } from '#console/ui/filter/MomentFields.tsx'
import { listAuditActions, listAuditEntityTypes } from '#contract/http/insight/auditLog.ts'

interface Props {
  readonly filter: ListFilter<'/audit-log'>
  readonly chosenUsername: string | undefined
  readonly chosenThing: string | undefined
  readonly onChange: (change: FilterChange<'/audit-log'>, way?: Way) => void
}

export function AuditFilterFields({ filter, chosenUsername, chosenThing, onChange }: Props) {
  const actions = useCall(listAuditActions, {}, { freshMs: LOOKUP_FRESH_MS })
  const entityTypes = useCall(listAuditEntityTypes, {}, { freshMs: LOOKUP_FRESH_MS })
  return (
    <>
      <LookupPicker
        name="Action"
        placeholder="All actions"
        lookup={actions}
        value={filter.actionId}
        onChange={(actionId) => onChange({ actionId })}
      />
      <LookupPicker
        name="Entity"
        placeholder="All entities"
        lookup={entityTypes}
        value={filter.entityTypeId}
        onChange={(entityTypeId) => onChange({ entityTypeId })}
      />
      <FilterText
        name="Name"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.entityName ?? ''}
        onChange={(text, way) => onChange({ entityName: text }, way)}
      />
      <UserPicker
        placeholder="All users"
        clearable
        value={filter.userId}
        chosenName={chosenUsername}
        onChange={(userId) => onChange({ userId })}
      />
      <MomentFields fromName="From" toName="To" filter={filter} onChange={onChange} />
      {filter.bulkId !== undefined && (
        <Button
          className="audit-only"
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label="Only one bulk action: show all entries"
          onClick={() => onChange({ bulkId: undefined })}
        >
          Only one bulk action
        </Button>
      )}
      {filter.entityId !== undefined && (
        <Button
          className="audit-only"
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Only ${chosenThing ?? `id ${filter.entityId}`}: show all entries`}
          title={chosenThing}
          onClick={() => onChange({ entityId: undefined, entityTypeId: undefined })}
        >
          Only {chosenThing ?? `id ${filter.entityId}`}
        </Button>
      )}
    </>
  )
}
