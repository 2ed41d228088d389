import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { EmptyNote, FailedNote } from '#console/ui/notes.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { DeviceId } from '#domain/ids.ts'
import { CommandItem } from './CommandItem.tsx'
import { COMMAND_FILTERS, type CommandFilter, isShown } from './commandList.ts'
import { useCommandList } from './useCommandList.ts'

export function CommandList({ deviceId }: { readonly deviceId: DeviceId }) {
  const { commands, failure, retry, loadOlder, isLoadingOlder } = useCommandList(deviceId)
  const [filter, setFilter] = useState<CommandFilter>('All')
  if (!commands) return failure ? <FailedNote failure={failure} onRetry={retry} /> : <Skeleton />
  if (commands.length === 0) return <EmptyNote title="No command was sent to this device yet" />
  const shown = commands.filter((command) => isShown(filter, command))
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        className="command-filter"
        aria-label="Show"
        data={[...COMMAND_FILTERS]}
        value={filter}
        onChange={(value) => setFilter(value as CommandFilter)}
      />
      {shown.length === 0 && <p className="command-none">None among the {commands.length} newest.</p>}
      <ol className="commands" aria-label="Commands, newest first">
        {shown.map((command) => (
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
