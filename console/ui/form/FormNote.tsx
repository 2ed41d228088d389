import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import './FormNote.css'

/** It says why the form was refused, or what people should know before they fill it in. */
export function FormNote({ kind, text }: { readonly kind: 'failed' | 'info'; readonly text: string }) {
  const Icon = kind === 'failed' ? IconAlertTriangle : IconInfoCircle
  return (
    <div className={`form-note form-note-${kind}`} role={kind === 'failed' ? 'alert' : 'status'}>
      <Icon size={17} aria-hidden />
      <span>{text}</span>
    </div>
  )
}
