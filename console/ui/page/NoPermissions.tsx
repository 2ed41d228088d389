import { IconLock } from '@tabler/icons-react'
import { startMessages } from '#console/lib/call/startMessages.ts'
import { PageNote } from './PageNote.tsx'

/** It replaces a page that the signed-in user may not open, inside the shell. */
export function NoPermissions() {
  return (
    <PageNote
      icon={<IconLock size={36} stroke={1.4} aria-hidden />}
      title="No permissions"
      text={`${startMessages.noPermissions} An administrator can give you the function that it needs.`}
    />
  )
}
