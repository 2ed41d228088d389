import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type ComponentPropsWithRef, useId, useState } from 'react'
import { CapsLockNote, useCapsLock } from '#console/ui/form/CapsLockNote.tsx'
import './entryField.css'

interface Props extends ComponentPropsWithRef<'input'> {
  readonly label: string
  readonly error: string | undefined
}

/** The sign-in page, which everybody waits for first, draws its fields without the kit, and they look the same. */
export function EntryField({ label, error, ...props }: Props) {
  return <Labelled label={label} error={error} input={(named) => <input {...props} {...named} />} />
}

/** The password can be revealed while it is typed, and the field says when Caps Lock is on. */
export function PasswordEntry({ label, error, ...props }: Props) {
  const [isShown, setShown] = useState(false)
  const capsLock = useCapsLock()
  const Eye = isShown ? IconEyeOff : IconEye
  return (
    <>
      <Labelled
        label={label}
        error={error}
        input={(named) => (
          <span className="entry-password">
            <input {...props} {...named} {...capsLock.watch} type={isShown ? 'text' : 'password'} />
            <button
              type="button"
              aria-label="Show or hide password"
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            >
              <Eye size={17} aria-hidden />
            </button>
          </span>
        )}
      />
      {capsLock.isOn && <CapsLockNote />}
    </>
  )
}

type Named = Pick<ComponentPropsWithRef<'input'>, 'id' | 'aria-invalid' | 'aria-describedby' | 'className'>

interface LabelledProps extends Pick<Props, 'label' | 'error'> {
  readonly input: (named: Named) => React.ReactNode
}

function Labelled({ label, error, input }: LabelledProps) {
  const id = useId()
  const isWrong = error !== undefined
  return (
    <div className="field entry-field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {input({
        id,
        className: 'entry-input',
        'aria-invalid': isWrong,
        'aria-describedby': isWrong ? `${id}-error` : undefined,
      })}
      {isWrong && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
