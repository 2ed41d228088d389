import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle, IconArrowBigUpLines, IconEye, IconEyeOff, IconInfoCircle } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { messages } from '#console/lib/messages.ts'
import { signIn } from '#console/lib/session.ts'
import { required } from '#domain/validation/messages.ts'
import { loginFailureText } from './loginFailureText.ts'

interface LoginFormProps {
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
}

export function LoginForm({ hasExpired, onSignedIn }: LoginFormProps) {
  const [failure, setFailure] = useState<string>()
  const [isSigningIn, setSigningIn] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
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
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <form className="login-form" noValidate onSubmit={form.onSubmit((values) => void submit(values))}>
      {failure === undefined && hasExpired && <Note kind="info" text={messages.sessionExpired} />}
      {failure !== undefined && <Note kind="failed" text={failure} />}
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
      <PasswordInput
        {...form.getInputProps('password')}
        ref={password}
        label="Password"
        name="password"
        autoComplete="current-password"
        maxLength={1024}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        visibilityToggleIcon={EyeIcon}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={() => setCapsLock(false)}
      />
      {hasCapsLock && (
        <div className="login-caps" role="status">
          <IconArrowBigUpLines size={15} aria-hidden />
          Caps Lock is on
        </div>
      )}
      <Button type="submit" size="sm" fullWidth loading={isSigningIn} mt={4}>
        Sign in
      </Button>
    </form>
  )
}

function EyeIcon({ reveal }: { readonly reveal: boolean }) {
  return reveal ? <IconEyeOff size={17} aria-hidden /> : <IconEye size={17} aria-hidden />
}

function Note({ kind, text }: { readonly kind: 'failed' | 'info'; readonly text: string }) {
  const Icon = kind === 'failed' ? IconAlertTriangle : IconInfoCircle
  return (
    <div className={`login-note login-note-${kind}`} role={kind === 'failed' ? 'alert' : 'status'}>
      <Icon size={17} aria-hidden />
      <span>{text}</span>
    </div>
  )
}
