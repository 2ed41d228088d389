import { type FormEvent, useRef, useState } from 'react'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { startMessages } from '#console/lib/call/startMessages.ts'
import { required } from '#domain/validation/messages.ts'
import { loginFailureText } from './loginFailureText.ts'

const LONGEST_CODE = 40

/**
 * A sign-in goes on with a code that somebody types.
 *
 * @param onTooLate the sign-in took too long and has to begin again
 */
export function useCodeEntry(label: string, onTooLate: (why: string) => void) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const attempt = async (act: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await act()
    } catch (thrown) {
      if (thrown instanceof CallFailed && thrown.code === 'challenge_not_valid')
        return onTooLate(startMessages.signInTookTooLong)
      setFailure(loginFailureText(thrown))
      setBusy(false)
      input.current?.focus()
      input.current?.select()
    }
  }
  return {
    failure,
    isBusy,
    attempt,
    submitWith: (act: (code: string) => Promise<void>) => (event: FormEvent) => {
      event.preventDefault()
      if (code.trim() !== '') return void attempt(() => act(code))
      setWrong(required(label))
      input.current?.focus()
    },
    field: {
      ref: input,
      label,
      error: wrong,
      value: code,
      maxLength: LONGEST_CODE,
      type: 'text',
      name: 'code',
      autoComplete: 'one-time-code',
      spellCheck: false,
      onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
        setCode(currentTarget.value)
        setWrong(undefined)
      },
    },
  }
}
