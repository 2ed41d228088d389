import { Select, TextInput } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useIsCustomerUser, useMay, useUser } from '#console/lib/session/session.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { type SavedView, setView, type ViewContent, type ViewPage } from '#contract/http/devices/views.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import type { CustomerId, RoleId } from '#domain/ids.ts'
import { LOOKUP_FRESH_MS } from '../lookupFresh.ts'

interface Props {
  readonly page: ViewPage
  /** A new view has none. */
  readonly view: SavedView | undefined
  readonly content: ViewContent
  readonly onSaved: (view: SavedView) => void
  readonly onClose: () => void
}

const NOBODY = 'nobody'

export function ViewModal({ page, view, content, onSaved, onClose }: Props) {
  const choices = useShareChoices(view)
  const { field, submit, isBusy } = useCallForm(setView, {
    labels: { name: 'Name', share: 'Shared with' },
    initial: { name: view?.name ?? '', share: view?.share ? `${view.share.with} ${view.share.id}` : NOBODY },
    content: ({ name, share }) => ({ id: view?.id ?? 0, page, name: name.trim(), content, share: shareOf(share) }),
    refusals: { view_name_taken: 'name' },
    saved: 'The view is saved',
    onSaved: (id) => {
      onSaved({ ...NEW_VIEW, id, name: '', content })
      onClose()
    },
  })
  return (
    <FormModal
      title={view ? 'Rename or share view' : 'Save view'}
      size={400}
      onSubmit={submit}
      isBusy={isBusy}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus />
      {choices.length > 1 && (
        <Select
          {...field('share')}
          data={[...choices]}
          searchable
          allowDeselect={false}
          description="People it is shared with see its name, and only devices that they may see."
        />
      )}
    </FormModal>
  )
}

const NEW_VIEW = { lost: null, isOwn: true, ownerName: '', share: null, shareName: '', mayChange: true } as const

function shareOf(text: string) {
  const [kind, id] = text.split(' ')
  if (kind === 'role') return { with: 'role' as const, id: Number(id) as RoleId }
  return kind === 'customer' ? { with: 'customer' as const, id: Number(id) as CustomerId } : null
}

/** Staff admins share with roles, staff with customers, admins of a customer with it; an earlier share may stay. */
function useShareChoices(view: SavedView | undefined) {
  const { customerId } = useUser()
  const isCustomerUser = useIsCustomerUser()
  const isAdmin = useMay('admin')
  const roles = useCall(listRoles, {}, { enabled: isAdmin && !isCustomerUser, freshMs: LOOKUP_FRESH_MS })
  const customers = useCall(listCustomers, {}, { enabled: !isCustomerUser, freshMs: LOOKUP_FRESH_MS })
  const offered = [
    { value: NOBODY, label: 'Nobody' },
    ...(isCustomerUser && isAdmin ? [{ value: `customer ${customerId}`, label: 'All users of my customer' }] : []),
    ...(roles.data ?? []).map(({ id, name }) => ({ value: `role ${id}`, label: `Role ${name}` })),
    ...(customers.data ?? []).map(({ id, name }) => ({ value: `customer ${id}`, label: `Customer ${name}` })),
  ]
  const present = view?.share && `${view.share.with} ${view.share.id}`
  if (!present || offered.some(({ value }) => value === present)) return offered
  return [...offered, { value: present, label: view.shareName }]
}
