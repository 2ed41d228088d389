import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDownload, IconPlus, IconZoomReset } from '@tabler/icons-react'
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
      {address.zoom && (
        <Button
          variant="default"
          leftSection={<IconZoomReset size={15} aria-hidden />}
          onClick={() => onChange({ zoom: undefined })}
        >
          Whole period
        </Button>
      )}
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
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={address.metrics.length >= MOST_METRICS}
        onClick={onAdd}
      >
        Add metric
      </Button>
    </>
  )
}

function ExportMenu({ address, exports }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label="Export what is shown">
          <ActionIcon variant="default" size={30} aria-label="Export what is shown" disabled={!exports.isPossible}>
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={exports.csv}>Readings as CSV</Menu.Item>
        {address.view === 'chart' && <Menu.Item onClick={() => void exports.png()}>Chart as PNG</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
