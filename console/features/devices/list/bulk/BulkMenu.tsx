import { Button } from '@mantine/core'
import { IconAdjustments, IconChevronDown } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { BULK_TITLES } from './bulkLabels.ts'
import type { BulkKind } from './bulkSettings.ts'

interface Props {
  readonly count: number
  readonly onSet: (kind: BulkKind) => void
}

const KINDS = Object.keys(BULK_TITLES) as BulkKind[]

export function BulkMenu({ count, onSet }: Props) {
  const set = (kind: BulkKind) => (count === 0 ? toasts.warning(messages.noDevicesSelected) : onSet(kind))
  usePaletteCommands(
    KINDS.map((kind) => ({
      actionId: 'devices.set',
      id: `devices.set ${kind}`,
      label: `${BULK_TITLES[kind]} of ${count} selected`,
      searchTerms: 'set',
      icon: IconAdjustments,
      refused: count === 0 ? messages.noDevicesSelected : undefined,
      run: () => set(kind),
    })),
  )
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={14} aria-hidden />}>Set</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map((kind) => (
          <Menu.Item key={kind} onClick={() => set(kind)}>
            {BULK_TITLES[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
