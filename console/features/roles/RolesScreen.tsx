import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/useCall.ts'
import { useReload } from '#console/lib/useReload.ts'
import { text } from '#console/router/addressFields.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FilterBar } from '#console/ui/FilterBar.tsx'
import { FilterText } from '#console/ui/FilterText.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { type AppRole, listRoles } from '#contract/http/appRole.ts'
import { RoleModal } from './RoleModal.tsx'
import { RoleTable } from './RoleTable.tsx'
import { useRemoveRole } from './useRemoveRole.ts'

/** `/roles` (P2 §2 "Roles screen"). */
export function RolesScreen() {
  const { given: search, change } = useAddress('/roles')
  const name = text(search.name) ?? ''
  const roles = useCall(listRoles, {})
  const { isReloading, reloadNow } = useReload(roles)
  const { remove, isGone } = useRemoveRole()
  const [edited, setEdited] = useState<AppRole | 'new'>()
  const [resets, setResets] = useState(0)
  const matches = (role: AppRole) => !isGone(role) && role.name.toLowerCase().includes(name.toLowerCase())

  return (
    <Screen
      title="Roles"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          Add role
        </Button>
      }
    >
      <Panel>
        <FilterBar
          onReload={() => void reloadNow()}
          onReset={() => {
            // A text that was never asked for is no change of the filter, and would stay in its field.
            setResets(resets + 1)
            change({ name: undefined })
          }}
          isLoading={isReloading}
        >
          <FilterText key={resets} name="Role name" value={name} onChange={(text) => change({ name: text })} />
        </FilterBar>
        <AsyncView
          query={roles}
          isEmpty={(rows) => !rows.some(matches)}
          empty={<EmptyNote title={name ? 'No role matches this filter' : 'There are no roles'} />}
        >
          {(rows) => (
            <RoleTable roles={rows.filter(matches)} onEdit={setEdited} onRemove={(role) => void remove(role)} />
          )}
        </AsyncView>
      </Panel>
      {edited && <RoleModal role={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </Screen>
  )
}
