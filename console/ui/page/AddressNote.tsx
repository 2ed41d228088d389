import { IconX } from '@tabler/icons-react'
import { useUnread } from '#console/router/unread.ts'
import { FormNote } from '../form/FormNote.tsx'
import { PlainIconButton } from '../plain/PlainButton.tsx'

export function AddressNote({ unread }: { readonly unread: readonly string[] }) {
  const { unread: kept, leave } = useUnread(unread)
  if (kept.length === 0) return null
  return (
    <div className="address-note">
      <FormNote kind="info" text={`Ignored invalid values in the link: ${kept.join(', ')}.`} />
      <PlainIconButton sizePx={24} aria-label="Close this note" onClick={leave}>
        <IconX size={16} aria-hidden />
      </PlainIconButton>
    </div>
  )
}
