import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { failureMessage } from '#console/lib/CallFailed.ts'
import { messages } from '#console/lib/messages.ts'
import { useChange } from '#console/lib/useCall.ts'
import { EntryScreen } from '#console/ui/EntryScreen.tsx'
import { FormNote } from '#console/ui/FormNote.tsx'
import { requestPasswordReset } from '#contract/http/account.ts'
import { required } from '#domain/validation/messages.ts'
import './account.css'

/** `/reset-password` without a token: asks for the username, and says the same whoever it is. */
export function RequestResetScreen() {
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initialValues: { username: '' },
    validate: { username: (value) => (value.trim() === '' ? required('Username') : null) },
  })
  const ask = useChange(requestPasswordReset, { showsFailure: true })
  const submit = ({ username }: { username: string }) => {
    setFailure(undefined)
    ask.mutate({ body: { username: username.trim() } }, { onError: (refused) => setFailure(failureMessage(refused)) })
  }
  return (
    <EntryScreen title="Forgotten password" lead="We send a link by which you set a new one.">
      {ask.isSuccess ? (
        <FormNote kind="info" text={messages.resetRequested} />
      ) : (
        <form className="login-form" noValidate onSubmit={form.onSubmit(submit)}>
          {failure !== undefined && <FormNote kind="failed" text={failure} />}
          <TextInput
            {...form.getInputProps('username')}
            label="Username"
            name="username"
            type="text"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={254}
          />
          <Button type="submit" size="sm" fullWidth loading={ask.isPending} mt={4}>
            Send link
          </Button>
        </form>
      )}
      <p className="login-more">
        <Link to="/login">To the sign-in</Link>
      </p>
    </EntryScreen>
  )
}
