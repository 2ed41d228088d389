import { messages } from '#console/lib/call/messages.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { useRemoval } from '#console/lib/list/useRemoval.ts'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { type AppRole, deleteRole, listRoles } from '#contract/http/people/roles.ts'
import { RoleTable } from './RoleTable.tsx'

const RoleModal = lazyDialog(() => import('./RoleModal.tsx').then((part) => part.RoleModal))

/** The page `/roles` lists the roles (rules/lists 11). */
export function RolesScreen() {
  const { remove, isGone } = useRemoval(deleteRole, {
    title: 'Remove role',
    question: ({ name }: AppRole) => messages.confirmRemoveRole(name),
  })
  const list = useList(listRoles, {
    at: '/roles',
    keeps: (role, { name = '' }) => !isGone(role) && role.name.toLowerCase().includes(name.toLowerCase()),
  })
  const { open, add, show, close, linkTo } = useRecordDialog('/roles', list.rows, ({ id }) => id)
  return (
    <Screen
      title="Roles"
      actions={<AddButton actionId="role.add" label="Add role" searchTerms="new create" onClick={add} />}
    >
      <ListPanel
        list={list}
        noun={['role', 'roles']}
        empty="There are no roles"
        filter={
          <FilterText name="Role name" value={list.filter.name ?? ''} onChange={(name) => list.narrow({ name })} />
        }
      >
        {(roles) => <RoleTable roles={roles} linkTo={linkTo} onEdit={show} onRemove={remove} />}
      </ListPanel>
      {open && <RoleModal role={open.record} onClose={close} />}
    </Screen>
  )
}
