import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { Select } from '#console/ui/kit/laterFields.ts'
import { listClientVersions } from '#contract/http/devices/details.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isVersion } from '#domain/releases/version.ts'
import { versionFilterLabel, writeVersionFilter } from '#domain/releases/versionFilter.ts'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

const MOST_OFFERED = 100

interface Props {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** Only versions on this customer's devices are offered; without one, all that the user may see. */
  readonly customerId: CustomerId | undefined
}

/** It picks a client version that devices run, or all that are older than one. */
export function VersionPicker({ value, onChange, customerId }: Props) {
  const [isReached, setIsReached] = useState(false)
  const { data, isPending, isError } = useCall(listClientVersions, customerId === undefined ? {} : { customerId }, {
    enabled: isReached,
    freshMs: LOOKUP_FRESH_MS,
  })
  const groups = groupsOf(data ?? [])
  const isKnown = value === undefined || groups.some(({ items }) => items.some((one) => one.value === value))
  return (
    <Select
      className="field"
      aria-label="Client version"
      placeholder="Client version"
      data={isKnown ? groups : [...groups, choice(value)]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      onFocus={() => setIsReached(true)}
      searchable
      clearable
      limit={MOST_OFFERED}
      nothingFoundMessage={isPending ? 'Loading…' : isError ? 'Could not be loaded' : 'Nothing found'}
      maxDropdownHeight={320}
    />
  )
}

const choice = (value: string) => ({ value, label: versionFilterLabel(value) })

function groupsOf(used: readonly { readonly version: string | null }[]) {
  const versions = used.flatMap(({ version }) => version ?? [])
  const others = used.length > versions.length ? [choice(writeVersionFilter({ kind: 'unknown' }))] : []
  // No version is older than the oldest.
  const older = versions.filter(isVersion).slice(0, -1)
  return [
    { group: 'Running', items: [...versions.map(choice), ...others] },
    {
      group: 'Running something older',
      items: older.map((version) => choice(writeVersionFilter({ kind: 'olderThan', version }))),
    },
  ].filter(({ items }) => items.length > 0)
}
