import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { type CallFailed, failureMessage, mayPass } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EntryScreen } from '#console/ui/page/EntryScreen.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { checkPasswordLink, setPasswordByToken } from '#contract/http/people/account.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { NEW_PASSWORD_LABEL, REPEATED_LABEL, repetitionError, weakness } from './newPassword.ts'
import './account.css'

interface Props {
  readonly title: string
  readonly lead: string
  readonly token: string
}

export function SetPasswordScreen({ title, lead, token }: Props) {
  const [isDone, setIsDone] = useState(false)
  const link = useQuery<AnswerOf<typeof checkPasswordLink>, CallFailed>({
    queryKey: [checkPasswordLink.path, token],
    queryFn: ({ signal }) => send(checkPasswordLink, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isDone) return <PasswordSet />
  return (
    <EntryScreen title={title} lead={lead}>
      {link.isPending && <Skeleton />}
      {link.isError && <BadLink failure={link.error} />}
      {link.data && <SetPasswordForm token={token} username={link.data.username} onDone={() => setIsDone(true)} />}
    </EntryScreen>
  )
}

function SetPasswordForm({
  token,
  username,
  onDone,
}: {
  readonly token: string
  readonly username: string
  readonly onDone: () => void
}) {
  const { field, submit, isBusy, failure } = useCallForm(setPasswordByToken, {
    labels: { password: NEW_PASSWORD_LABEL, repeated: REPEATED_LABEL },
    initial: { password: '', repeated: '' },
    content: ({ password }) => ({ token, password }),
    check: ({ password, repeated }) => ({
      password: weakness(password, username),
      repeated: repetitionError(password, repeated),
    }),
    refusals: { weak_password: 'password' },
    keepsFailure: true,
    onSaved: onDone,
  })
  return (
    <form className="login-form" noValidate onSubmit={submit}>
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
      <TextInput label="Username" value={username} readOnly autoComplete="username" />
      <NewPasswordFields password={field('password')} repeated={field('repeated')} hasFocus />
      <Button type="submit" size="sm" fullWidth loading={isBusy} mt={4}>
        Set password
      </Button>
    </form>
  )
}

function PasswordSet() {
  return (
    <EntryScreen title="Your password is set" lead="All your earlier sessions have ended.">
      <Button component={Link} to={address('/login')} size="sm" fullWidth>
        Sign in
      </Button>
    </EntryScreen>
  )
}

/** A link may be used, too old, or no link at all; a server that cannot be reached says nothing about it. */
function BadLink({ failure }: { readonly failure: CallFailed }) {
  const isAboutLink = !mayPass(failure) && failure.code !== 'too_many_requests'
  return (
    <div className="account-form">
      <FormNote kind="failed" text={isAboutLink ? messages.linkNotValid : failureMessage(failure)} />
      <p className="login-more">
        {isAboutLink ? (
          <Link to={address('/reset-password')}>Ask for a new link</Link>
        ) : (
          <Link to={address('/login')}>To the sign-in</Link>
        )}
      </p>
    </div>
  )
}
