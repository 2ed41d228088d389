import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { startMessages } from '#console/lib/call/startMessages.ts'
import { longestText } from '#console/lib/form/fieldBounds.ts'
import { type FieldErrors, formErrors, type Values } from '#console/lib/form/formErrors.ts'
import { signIn } from '#console/lib/session/session.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { login } from '#contract/http/people/signIn.ts'
import { ContinueWith, useProviderOf } from './ContinueWith.tsx'
import { DemoUsers } from './DemoUsers.tsx'
import { EntryField, PasswordEntry } from './EntryField.tsx'
import { loginFailureText } from './loginFailureText.ts'

interface LoginFormProps {
  readonly note: string | undefined
  readonly hasExpired: boolean
  readonly onSignedIn: () => void
  readonly onFactorRequested: (username: string, asked: SecondFactorRequest) => void
  readonly children: ReactNode
}

interface Credentials extends Values {
  readonly username: string
  readonly password: string
}

const LABELS = { username: 'Username', password: 'Password' } as const
const contentOf = ({ username, password }: Credentials) => ({ username: username.trim(), password })

/** It is made without the kit, because everybody waits for this form first. */
export function LoginForm({ hasExpired, children, ...given }: LoginFormProps) {
  const { values, field, refs, submit, choose, failure, fail, isSigningIn } = useLogin(given)
  const providers = useProviderOf()
  const provider = providers.of(values.username)
  return (
    <form className="login-form" noValidate onSubmit={submit}>
      <EntryField
        {...field('username')}
        ref={refs.username}
        onBlur={() => providers.find(values.username)}
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordEntry {...field('password')} ref={refs.password} autoComplete="current-password" />
      <PlainButton type="submit" isMain isBusy={isSigningIn}>
        Sign in
      </PlainButton>
      {provider && <ContinueWith key={provider.id} provider={provider} username={values.username} onFailed={fail} />}
      {children}
      <div className="login-note">
        {failure === undefined && hasExpired && <FormNote kind="info" text={startMessages.sessionExpired} />}
        {failure !== undefined && <FormNote kind="failed" text={failure} />}
      </div>
      <DemoUsers onChoose={choose} />
    </form>
  )
}

type LoginProps = Omit<LoginFormProps, 'hasExpired' | 'children'>

function useLogin({ note, onSignedIn, onFactorRequested }: LoginProps) {
  const [values, setValues] = useState<Credentials>({ username: '', password: '' })
  const [wrong, setWrong] = useState<FieldErrors<Credentials>>({})
  const [failure, setFailure] = useState(note)
  const [isSigningIn, setSigningIn] = useState(false)
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const fail = (thrown: unknown) => setFailure(loginFailureText(thrown))

  const tryWith = async (given: Credentials) => {
    if (isSigningIn) return
    const found = formErrors(login, given, { labels: LABELS, content: contentOf })
    setWrong(found)
    if (found.username) return username.current?.focus()
    if (found.password) return password.current?.focus()
    setSigningIn(true)
    setFailure(undefined)
    try {
      await signIn(contentOf(given))
      onSignedIn()
    } catch (thrown) {
      const asked = thrown instanceof CallFailed ? thrown.secondFactor : undefined
      if (asked) return onFactorRequested(contentOf(given).username, asked)
      fail(thrown)
      setSigningIn(false)
      password.current?.focus()
      password.current?.select()
    }
  }
  return {
    values,
    failure,
    fail,
    isSigningIn,
    refs: { username, password },
    submit: (event: FormEvent) => {
      event.preventDefault()
      void tryWith(values)
    },
    /** Users of the demo share a password, so one click is enough once it is typed. */
    choose: (chosen: string) => {
      const next = { ...values, username: chosen }
      setValues(next)
      setWrong({})
      if (next.password === '') password.current?.focus()
      else void tryWith(next)
    },
    field: (name: keyof typeof LABELS) => ({
      name,
      label: LABELS[name],
      error: wrong[name],
      value: values[name],
      maxLength: longestText(login, name),
      onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
        setValues({ ...values, [name]: currentTarget.value })
        setWrong({ ...wrong, [name]: undefined })
      },
    }),
  }
}
