import { useUser } from '#console/lib/session/session.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { nameOf } from '#console/lib/userName.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { FUNCTIONS } from '#domain/permissions/functions.ts'
import './account.css'

/** `/profile` shows admins in development mode what the console knows of the signed-in user. */
export function ProfileScreen() {
  const user = useUser()
  const facts: readonly (readonly [string, string])[] = [
    ['Name', nameOf(user)],
    ['Username', user.username],
    ['E-mail for notifications', user.email || 'None'],
    ['Role', user.roleName],
    [
      'Functions',
      FUNCTIONS.filter(({ id }) => user.roleFunctions.includes(id))
        .map(({ name }) => name)
        .join(', '),
    ],
    ['Customer', user.customerId === undefined ? 'Staff' : String(user.customerId)],
    ['Lab user', user.isLab ? 'Yes' : 'No'],
    ['Internal user', user.isInternal ? 'Yes' : 'No'],
    ['Time zone', viewerTimeZone()],
  ]
  return (
    <Screen title="Profile">
      <Panel isPadded>
        <dl className="profile-facts">
          {facts.map(([name, value]) => (
            <div key={name} className="profile-fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </Screen>
  )
}
