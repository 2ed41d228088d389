import { Switch, TextInput } from '@mantine/core'
import { readAs } from '#console/lib/call/plainContract.ts'
import { useMay } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { type AppUser, usernameValue } from '#contract/http/people/users.ts'
import { RolePicker } from './RolePicker.tsx'
import { USER_LABELS, type UserForm } from './userValues.ts'

interface Props {
  readonly form: UserForm
  /** A new user has none. */
  readonly user?: AppUser
}

/** The fields follow rules/people 1. */
export function UserFields({ form, user }: Props) {
  const { field } = form
  const isStaffAdmin = useMay('staffAdmin')
  const copyUsername = () => {
    const { username, email } = form.values
    if (email.trim() === '' && readAs(usernameValue, username)) form.set({ email: username.trim() })
  }
  return (
    <div className="user-fields">
      {user ? (
        <TextInput label={USER_LABELS.username} readOnly value={user.username} />
      ) : (
        <TextInput {...field('username')} autoComplete="off" data-autofocus onBlur={copyUsername} />
      )}
      <TextInput {...field('firstName')} autoComplete="off" />
      <TextInput {...field('lastName')} autoComplete="off" />
      <TextInput {...field('email')} autoComplete="off" className="user-wide" />
      <CustomerPicker {...field('customerId')} isForNew placeholder="Staff: every customer" />
      <RolePicker {...field('roleId')} clearable={false} present={user && { id: user.roleId, name: user.roleName }} />
      {user && (
        <div className="user-switches">
          {isStaffAdmin && <Switch {...form.switchField('isLab')} description="Exports raw data and messages as CSV" />}
          <Switch {...form.switchField('isDisabled')} description="Signed out at once, and cannot sign in" />
        </div>
      )}
    </div>
  )
}
