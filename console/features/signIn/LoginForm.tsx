import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { signIn } from '#console/lib/call/session.ts'
import { longestText } from '#console/lib/form/fieldBounds.ts'
import { formErrors, type Values } from '#console/lib/form/formErrors.ts'
import { useFieldForm } from '#console/lib/form/useFieldForm.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import { login } from '#contract/http/app.ts'
import { loginFailureText } from './loginFailureText.ts'

interface LoginFormProps {
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
  /** Stands between the button and what is said about the try. */
  readonly children: ReactNode
}

interface Credentials extends Values {
  readonly username: string
  readonly password: string
}

const contentOf = ({ username, password }: Credentials) => ({ username: username.trim(), password })
const LOGIN_RULES = { labels: { username: 'Username', password: 'Password' }, content: contentOf } as const

export function LoginForm({ hasExpired, onSignedIn, children }: LoginFormProps) {
  const [failure, setFailure] = useState<string>()
  const [isSigningIn, setSigningIn] = useState(false)
  const password = useRef<HTMLInputElement>(null)
  const { field, submit } = useFieldForm({
    labels: LOGIN_RULES.labels,
    initial: { username: '', password: '' },
    requires: () => false,
    longest: (name) => longestText(login, name),
    errors: (values) => formErrors(login, values, LOGIN_RULES),
    onSubmit: async (values) => {
      if (isSigningIn) return
      setSigningIn(true)
      setFailure(undefined)
      try {
        await signIn(contentOf(values))
        onSignedIn()
      } catch (thrown) {
        setFailure(loginFailureText(thrown))
        setSigningIn(false)
        password.current?.focus()
        password.current?.select()
      }
    },
  })

  return (
    <form className="login-form" noValidate onSubmit={submit}>
      <TextInput
        {...field('username')}
        name="username"
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordField {...field('password')} ref={password} name="password" autoComplete="current-password" />
      <Button type="submit" size="sm" fullWidth loading={isSigningIn} mt={4}>
        Sign in
      </Button>
      {children}
      <div className="login-note">
        {failure === undefined && hasExpired && <FormNote kind="info" text={messages.sessionExpired} />}
        {failure !== undefined && <FormNote kind="failed" text={failure} />}
      </div>
    </form>
  )
}
