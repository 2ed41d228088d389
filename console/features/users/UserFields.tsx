import { Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMay } from '#console/lib/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { type AppUser, LONGEST_ADDRESS, LONGEST_PERSON_NAME } from '#contract/http/appUser.ts'
import { RolePicker } from './RolePicker.tsx'
import { USER_LABELS, type UserValues, userErrors } from './userValues.ts'

interface Props {
  readonly form: UseFormReturnType<UserValues>
  /** Absent: a new user. */
  readonly user?: AppUser
}

/** The fields of a user (P2 §2 "User details screen"). */
export function UserFields({ form, user }: Props) {
  const isStaffAdmin = useMay('staffAdmin')
  const text = (name: 'username' | 'firstName' | 'lastName' | 'email') => ({
    label: USER_LABELS[name],
    autoComplete: 'off',
    ...form.getInputProps(name),
  })
  const copyUsername = () => {
    const { username, email } = form.getValues()
    if (email.trim() === '' && userErrors.username(username) === null) form.setFieldValue('email', username.trim())
  }
  return (
    <div className="user-fields">
      {user ? (
        <TextInput label={USER_LABELS.username} readOnly value={user.username} />
      ) : (
        <TextInput
          {...text('username')}
          withAsterisk
          data-autofocus
          maxLength={LONGEST_ADDRESS}
          onBlur={copyUsername}
        />
      )}
      <TextInput {...text('firstName')} maxLength={LONGEST_PERSON_NAME} />
      <TextInput {...text('lastName')} maxLength={LONGEST_PERSON_NAME} />
      <TextInput {...text('email')} className="user-wide" maxLength={LONGEST_ADDRESS} />
      <CustomerPicker
        isForNew
        label={USER_LABELS.customerId}
        placeholder="Staff: every customer"
        value={form.values.customerId}
        onChange={(customerId) => form.setFieldValue('customerId', customerId)}
        error={form.errors.customerId}
      />
      <RolePicker
        label={USER_LABELS.roleId}
        withAsterisk
        clearable={false}
        present={user && { id: user.roleId, name: user.roleName }}
        value={form.values.roleId}
        onChange={(roleId) => form.setFieldValue('roleId', roleId)}
        error={form.errors.roleId}
      />
      {user && (
        <div className="user-switches">
          {isStaffAdmin && (
            <Switch
              label={USER_LABELS.isLab}
              description="Exports raw data and messages as CSV"
              {...form.getInputProps('isLab', { type: 'checkbox' })}
            />
          )}
          <Switch
            label={USER_LABELS.isDisabled}
            description="Signed out at once, and cannot sign in"
            {...form.getInputProps('isDisabled', { type: 'checkbox' })}
          />
        </div>
      )}
    </div>
  )
}
