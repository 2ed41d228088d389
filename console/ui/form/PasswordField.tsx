import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { IconArrowBigUpLines, IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, type Ref, useState } from 'react'
import './FormNote.css'

interface Props extends PasswordInputProps {
  readonly ref?: Ref<HTMLInputElement>
}

/** A password that can be looked at while it is typed, and says when Caps Lock is on. */
export function PasswordField(props: Props) {
  const [hasCapsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <>
      <PasswordInput
        {...props}
        withAsterisk={false}
        aria-invalid={Boolean(props.error)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        visibilityToggleIcon={EyeIcon}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={(event) => {
          setCapsLock(false)
          props.onBlur?.(event)
        }}
      />
      {hasCapsLock && (
        <div className="caps-note" role="status">
          <IconArrowBigUpLines size={15} aria-hidden />
          Caps Lock is on
        </div>
      )}
    </>
  )
}

function EyeIcon({ reveal }: { readonly reveal: boolean }) {
  return reveal ? <IconEyeOff size={17} aria-hidden /> : <IconEye size={17} aria-hidden />
}
