import { useForm } from '@mantine/form'
import { fieldErrorsOf } from '#console/lib/fieldErrors.ts'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useChange } from '#console/lib/useCall.ts'
import { listRoles } from '#contract/http/appRole.ts'
import { getUser, listUsers, setUser } from '#contract/http/appUser.ts'
import type { BodyOf } from '#contract/http/call.ts'
import type { UserId } from '#domain/ids.ts'
import { USER_LABELS, type UserValues, userErrors } from './userValues.ts'

interface Wanted {
  readonly initial: UserValues
  readonly body: (values: UserValues) => BodyOf<typeof setUser>
  readonly onSaved: (id: UserId) => void
}

/** The form of a user and its way to the server and back. */
export function useUserForm({ initial, body, onSaved }: Wanted) {
  const form = useForm<UserValues>({ initialValues: initial, validate: userErrors })
  const focus = (errors: object) =>
    form.getInputNode((Object.keys(errors)[0] ?? 'username') as keyof UserValues)?.focus()
  const change = useChange(setUser, {
    refreshes: [listUsers, getUser, listRoles],
    showsFailure: true,
    onDone: (id) => {
      if (!(id > 0)) return toasts.error(messages.noIdReturned('User'))
      toasts.success(messages.userSaved)
      onSaved(id as UserId)
    },
  })
  const save = form.onSubmit((values) => {
    change.mutate(
      { body: body(values) },
      {
        onError: (failure) => {
          const errors =
            failure.code === 'username_taken' ? { username: failure.message } : fieldErrorsOf(failure, USER_LABELS)
          if (!errors) return toasts.failure(failure)
          form.setErrors(errors)
          focus(errors)
        },
      },
    )
  }, focus)
  return { form, save, isSaving: change.isPending }
}
