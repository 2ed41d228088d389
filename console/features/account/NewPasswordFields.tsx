import type { UseFormReturnType } from '@mantine/form'
import { PasswordField } from '#console/ui/PasswordField.tsx'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#domain/passwords/passwordRules.ts'
import { NEW_PASSWORD_LABELS, type NewPassword } from './newPassword.ts'

interface Props<Values extends NewPassword> {
  readonly form: UseFormReturnType<Values>
  readonly hasFocus?: boolean
}

/** The new password, twice. */
export function NewPasswordFields<Values extends NewPassword>({ form, hasFocus = false }: Props<Values>) {
  return (
    <>
      <PasswordField
        {...form.getInputProps('newPass')}
        label={NEW_PASSWORD_LABELS.newPass}
        description={`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, any you like. Several words are easy to keep in mind.`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="new-password"
        autoFocus={hasFocus}
      />
      <PasswordField
        {...form.getInputProps('repeated')}
        label={NEW_PASSWORD_LABELS.repeated}
        autoComplete="new-password"
      />
    </>
  )
}
