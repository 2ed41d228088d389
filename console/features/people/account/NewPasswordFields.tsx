import type { FieldProps } from '#console/lib/form/useFieldForm.ts'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import { SHORTEST_PASSWORD } from '#domain/passwords/passwordRules.ts'

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
        description={`At least ${SHORTEST_PASSWORD} characters. Several words are easy to remember.`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="new-password"
        autoFocus={hasFocus}
      />
      <PasswordField {...repeated} maxLength={password.maxLength} autoComplete="new-password" />
    </>
  )
}
