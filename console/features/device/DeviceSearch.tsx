import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useCall } from '#console/lib/useCall.ts'
import { listDevices } from '#contract/http/device.ts'
import { type FoundDevice, foundDevices } from './foundDevices.ts'
import { useViewHistory } from './useViewHistory.ts'

const QUIET_MS = 250
const MOST_OFFERED = 20
const LONGEST_NAME = 200

/** A field and what it finds: arrows walk, Enter opens. */
export function DeviceSearch({ onDone }: { readonly onDone: () => void }) {
  const navigate = useNavigate()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const recent = useViewHistory(undefined)
  const [search] = useDebouncedValue(typed.trim(), QUIET_MS)
  const fleet = useCall(
    listDevices,
    { pageSize: MOST_OFFERED, sort: 'name', deviceName: search },
    { enabled: search !== '', keepsPrevious: true },
  )
  const rows = search === '' || fleet.data === undefined ? [] : 'rows' in fleet.data ? fleet.data.rows : fleet.data
  const found = foundDevices(typed, recent, rows)
  const chosen = Math.min(active, found.length - 1)

  const open = ({ guid }: FoundDevice) => {
    onDone()
    void navigate({ to: '/devices/$guid/status', params: { guid } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 }[event.key]
    const device = found[chosen]
    if (next !== undefined) setActive(Math.max(0, Math.min(found.length - 1, next)))
    else if (event.key === 'Enter' && device) open(device)
    else return
    event.preventDefault()
  }

  return (
    <div className="switcher">
      <TextInput
        role="combobox"
        aria-label="Name of the device"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${chosen}` : undefined}
        data-autofocus
        size="sm"
        placeholder="Search by name"
        autoComplete="off"
        maxLength={LONGEST_NAME}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {/* The focus stays in the field, which says by its active descendant which option is meant. */}
      <div role="listbox" id={listId} aria-label="Devices" className="switcher-list">
        {found.map((device, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field above
          <div
            key={device.guid}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="switcher-option"
            onClick={() => open(device)}
            onMouseMove={() => setActive(index)}
          >
            {device.isRecent ? <IconHistory size={15} aria-hidden /> : <span className="switcher-icon" />}
            <span className="switcher-name">{device.name}</span>
            {device.address && <span className="switcher-address">{device.address}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="switcher-note" role="status">
          {noteFor(typed.trim() !== '', fleet.isFetching || typed.trim() !== search, fleet.isError)}
        </p>
      )}
    </div>
  )
}

function noteFor(hasSearch: boolean, isSearching: boolean, hasFailed: boolean): string {
  if (!hasSearch) return 'No device was opened in this browser yet. Type a part of a name.'
  if (isSearching) return 'Searching…'
  return hasFailed ? 'The devices could not be loaded.' : 'Nothing found'
}
