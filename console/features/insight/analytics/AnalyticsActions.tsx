import { SegmentedControl } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useId } from 'react'
import { csvNote } from '#console/lib/csv.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MOST_METRICS } from './read/metricChoice.ts'
import type { AnalyticsAddress, AnalyticsAddressHook } from './read/useAnalyticsAddress.ts'

interface Props {
  readonly address: AnalyticsAddress
  readonly onChange: AnalyticsAddressHook['go']
  readonly exports: { readonly csv: () => void; readonly png: () => Promise<void>; readonly isPossible: boolean }
  readonly onAdd: () => void
}

export function AnalyticsActions(props: Props) {
  const { address, onChange, onAdd } = props
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Show as"
        data={[
          { value: 'chart', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
        value={address.view}
        onChange={(next) => onChange({ view: next === 'table' ? 'table' : 'chart' })}
      />
      <ExportMenu {...props} />
      <ActionButton icon={IconPlus} isMain disabled={address.metrics.length >= MOST_METRICS} onClick={onAdd}>
        Add metric
      </ActionButton>
    </>
  )
}

function ExportMenu({ address, exports }: Props) {
  const noteId = useId()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={IconDownload} tip="Export what is shown" hasFrame disabled={!exports.isPossible} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item aria-describedby={noteId} onClick={exports.csv}>
          Readings as CSV
        </Menu.Item>
        {address.view === 'chart' && <Menu.Item onClick={() => void exports.png()}>Chart as PNG</Menu.Item>}
        <Menu.Label id={noteId}>{csvNote()}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}
