import { Button, TextInput } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EntryScreen } from '#console/ui/page/EntryScreen.tsx'
import { requestPasswordReset } from '#contract/http/people/account.ts'
import './account.css'

/** `/reset-password` without a token asks for the username, and answers the same whether it exists or not. */
export function RequestResetScreen() {
  const { field, submit, isBusy, isDone, failure } = useCallForm(requestPasswordReset, {
    labels: { username: 'Username' },
    initial: { username: '' },
    content: ({ username }) => ({ username: username.trim() }),
    keepsFailure: true,
  })
  return (
    <EntryScreen title="Forgotten password" lead="We send a link by which you set a new one.">
      {isDone ? (
        <FormNote kind="info" text={messages.resetRequested} />
      ) : (
        <form className="login-form" noValidate onSubmit={submit}>
          {failure !== undefined && <FormNote kind="failed" text={failure} />}
          <TextInput
            {...field('username')}
            withAsterisk={false}
            name="username"
            type="text"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
          <Button type="submit" size="sm" fullWidth loading={isBusy} mt={4}>
            Send link
          </Button>
        </form>
      )}
      <p className="login-more">
        <Link to={address('/login')}>To the sign-in</Link>
      </p>
    </EntryScreen>
  )
}
