import { IconArrowBigUpLines } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import './FormNote.css'

export function useCapsLock() {
  const [isOn, setOn] = useState(false)
  const look = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'))
  return { isOn, watch: { onKeyDown: look, onKeyUp: look, onBlur: () => setOn(false) } }
}

export function CapsLockNote() {
  return (
    <div className="caps-note" role="status">
      <IconArrowBigUpLines size={15} aria-hidden />
      Caps Lock is on
    </div>
  )
}
