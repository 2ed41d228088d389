import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useRef, useState } from 'react'
import { messages } from '#console/lib/messages.ts'
import { signIn } from '#console/lib/session.ts'
import { FormNote } from '#console/ui/FormNote.tsx'
import { PasswordField } from '#console/ui/PasswordField.tsx'
import { required } from '#domain/validation/messages.ts'
import { loginFailureText } from './loginFailureText.ts'

interface LoginFormProps {
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
  /** Stands between the button and what is said about the try. */
  readonly children: ReactNode
}

export function LoginForm({ hasExpired, onSignedIn, children }: LoginFormProps) {
  const [failure, setFailure] = useState<string>()
  const [isSigningIn, setSigningIn] = useState(false)
  const password = useRef<HTMLInputElement>(null)
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: {
      username: (value) => (value.trim() === '' ? required('Username') : null),
      password: (value) => (value === '' ? required('Password') : null),
    },
  })

  const submit = async (values: { username: string; password: string }) => {
    if (isSigningIn) return
    setSigningIn(true)
    setFailure(undefined)
    try {
      await signIn({ username: values.username.trim(), password: values.password })
      onSignedIn()
    } catch (thrown) {
      setFailure(loginFailureText(thrown))
      setSigningIn(false)
      password.current?.focus()
      password.current?.select()
    }
  }

  return (
    <form className="login-form" noValidate onSubmit={form.onSubmit((values) => void submit(values))}>
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
      <PasswordField
        {...form.getInputProps('password')}
        ref={password}
        label="Password"
        name="password"
        autoComplete="current-password"
      />
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
