import { Button, Group } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useRecordForm } from '#console/lib/form/useRecordForm.ts'
import { GoBack } from '#console/lib/GoBack.tsx'
import { keepUserFresh } from '#console/lib/session/session.ts'
import { nameOf } from '#console/lib/userName.ts'
import { address } from '#console/router/addressText.ts'
import { useBack, useNavigate } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { MissingRecord } from '#console/ui/records/MissingRecord.tsx'
import { listRoles } from '#contract/http/people/roles.ts'
import { type AppUser, getUser, setUser } from '#contract/http/people/users.ts'
import type { UserId } from '#domain/ids.ts'
import { AddUserForm } from './AddUserForm.tsx'
import { UserAudit } from './UserAudit.tsx'
import { UserFields } from './UserFields.tsx'
import { UserMenu } from './UserMenu.tsx'
import { UserSessions } from './UserSessions.tsx'
import { UserStateBadge } from './UserStateBadge.tsx'
import { userDetails } from './userDetails.ts'
import { changedUserBody, USER_FORM, userValuesOf } from './userValues.ts'
import './users.css'

/** `/users/user-details` goes back if the id of a user is missing; the user is read again by it (rules/addresses 8). */
export function UserDetailsScreen() {
  const { data: id } = useAddress('/users/user-details').values
  return id === undefined ? <GoBack fallback={address('/users')} /> : <UserById key={id} id={id} />
}

/** `/users/add-user` is the same screen without values (rules/addresses 10). */
export function AddUserScreen() {
  const navigate = useNavigate()
  const goBack = useBack(address('/users'))
  return (
    <Screen title="Add user">
      <div className="user-page">
        <Panel title="User" isPadded>
          <AddUserForm onAdded={(id) => navigate(userDetails(id), { replace: true })} onCancel={goBack} />
        </Panel>
      </div>
    </Screen>
  )
}

function UserById({ id }: { readonly id: UserId }) {
  const record = useCall(getUser, { id })
  const user = record.data
  if (record.error?.code === 'not_found') {
    return <MissingRecord title="User" note="This user does not exist" list={address('/users')} listName="users" />
  }
  return (
    <Screen
      title={user ? nameOf(user) : 'User'}
      subtitle={user?.username}
      actions={
        user && (
          <>
            <UserStateBadge user={user} />
            <UserMenu user={user} />
          </>
        )
      }
    >
      <AsyncView query={record}>
        {(found) => (
          <div className="user-page">
            <UserForm user={found} />
            <div className="user-beside">
              <UserSessions user={found} />
              <UserAudit userId={id} />
            </div>
          </div>
        )}
      </AsyncView>
    </Screen>
  )
}

/** After saving, the user is read from the server again (rules/people 4). */
function UserForm({ user }: { readonly user: AppUser }) {
  const roles = useCall(listRoles, {})
  const before = userValuesOf(user)
  const form = useRecordForm(setUser, {
    ...USER_FORM,
    initial: before,
    sends: (values) => changedUserBody(user.id, before, values),
    onSaved: () => {
      form.settle()
      // The header and the menus show the own name and rights too.
      if (user.id === readSession()?.user.id) keepUserFresh()
    },
  })
  const { isDirty, isBusy } = form
  const isManageable = roles.data === undefined || roles.data.some(({ id }) => id === user.roleId)

  return (
    <Panel title="User" isPadded>
      <form noValidate onSubmit={form.submit} aria-label="User">
        <fieldset className="user-fieldset" disabled={!isManageable}>
          <UserFields form={form} user={user} />
        </fieldset>
        {!isManageable && <p className="user-note">{messages.userNotManageable}</p>}
        {isManageable && user.password === 'pending' && <p className="user-note">{messages.activationMissing}</p>}
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" disabled={!isDirty || isBusy} onClick={form.discard}>
            Discard
          </Button>
          <Button type="submit" disabled={!isDirty || !isManageable} loading={isBusy}>
            Save changes
          </Button>
        </Group>
      </form>
    </Panel>
  )
}
