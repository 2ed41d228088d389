import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import type { Ref } from 'react'
import { CapsLockNote, useCapsLock } from './CapsLockNote.tsx'

interface Props extends PasswordInputProps {
  readonly ref?: Ref<HTMLInputElement>
}

/** The password can be revealed while it is typed, and the field says when Caps Lock is on. */
export function PasswordField(props: Props) {
  const capsLock = useCapsLock()
  return (
    <>
      <PasswordInput
        {...props}
        withAsterisk={false}
        aria-invalid={Boolean(props.error)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        visibilityToggleIcon={EyeIcon}
        {...capsLock.watch}
        onBlur={(event) => {
          capsLock.watch.onBlur()
          props.onBlur?.(event)
        }}
      />
      {capsLock.isOn && <CapsLockNote />}
    </>
  )
}

function EyeIcon({ reveal }: { readonly reveal: boolean }) {
  return reveal ? <IconEyeOff size={17} aria-hidden /> : <IconEye size={17} aria-hidden />
}
