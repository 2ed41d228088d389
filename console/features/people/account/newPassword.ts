import { messages } from '#console/lib/call/messages.ts'
import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import { required } from '#domain/validation/messages.ts'

export const NEW_PASSWORD_LABEL = 'New password'
export const REPEATED_LABEL = 'Repeat new password'

/** It returns what is weak about a new password (rules/people 6). */
export const weakness = (password: string, username: string) =>
  password === '' ? required(NEW_PASSWORD_LABEL) : weaknessOf(password, username)

export const repetitionError = (password: string, repeated: string) =>
  repeated === '' ? required(REPEATED_LABEL) : repeated === password ? undefined : messages.newPasswordsDiffer
