import { Button } from '@mantine/core'
import { EmptyNote, FailedNote } from '#console/ui/notes.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { DeviceId } from '#domain/ids.ts'
import { CommandItem } from './CommandItem.tsx'
import { useCommandList } from './useCommandList.ts'

export function CommandList({ deviceId }: { readonly deviceId: DeviceId }) {
  const { commands, failure, retry, loadOlder, isLoadingOlder } = useCommandList(deviceId)
  if (!commands) return failure ? <FailedNote failure={failure} onRetry={retry} /> : <Skeleton />
  if (commands.length === 0) return <EmptyNote title="No command was sent to this device yet" />
  return (
    <>
      <ol className="commands" aria-label="Commands, newest first">
        {commands.map((command) => (
          <CommandItem key={command.id} command={command} />
        ))}
      </ol>
      {loadOlder && (
        <Button variant="default" fullWidth loading={isLoadingOlder} onClick={loadOlder}>
          Show older
        </Button>
      )}
    </>
  )
}
