import type { FieldProps } from '#console/lib/form/useFieldForm.ts'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#domain/passwords/passwordRules.ts'

interface Props {
  readonly password: FieldProps<string>
  readonly repeated: FieldProps<string>
  readonly hasFocus?: boolean
}

export function NewPasswordFields({ password, repeated, hasFocus = false }: Props) {
  return (
    <>
      <PasswordField
        {...password}
        description={`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, any you like. Several words are easy to keep in mind.`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="new-password"
        autoFocus={hasFocus}
      />
      <PasswordField {...repeated} maxLength={password.maxLength} autoComplete="new-password" />
    </>
  )
}
