import { messages } from '#console/lib/messages.ts'
import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import { required } from '#domain/validation/messages.ts'

export const NEW_PASSWORD_LABELS = { newPass: 'New password', repeated: 'Repeat new password' } as const

export interface NewPassword {
  readonly newPass: string
  readonly repeated: string
}

/** What the form finds wrong before any call is made (P2 §5, decisions "Addresses"). */
export function newPasswordErrors({ newPass, repeated }: NewPassword, username: string) {
  const { newPass: label, repeated: repeatLabel } = NEW_PASSWORD_LABELS
  return {
    newPass: newPass === '' ? required(label) : (weaknessOf(newPass, username) ?? null),
    repeated: repeated === '' ? required(repeatLabel) : repeated === newPass ? null : messages.newPasswordsDiffer,
  }
}
