import { useRef, useState } from 'react'
import { Panel } from '#console/ui/Panel.tsx'
import { PlainSelect } from '#console/ui/plain/PlainSelect.tsx'
import { CustomersLight, CustomersLightMenu, LightTotal } from './CustomersLight.tsx'
import { HeldNote } from './HeldNote.tsx'
import { type FleetLight, LIGHT_PERIODS, useLightDays } from './useFleetLight.ts'
import { WorstDisplays, WorstDisplaysMenu } from './WorstDisplays.tsx'

const TABS = [
  { id: 'customers', label: 'Customers' },
  { id: 'worst', label: 'Worst displays' },
] as const
type Tab = (typeof TABS)[number]['id']

interface Props {
  readonly light: FleetLight
}

/** The light of the last days, by customer and by display, in one panel. */
export function LightPanel({ light }: Props) {
  const [days, setDays] = useLightDays()
  const [tab, setTab] = useState<Tab>('customers')
  const { data } = light
  return (
    <Panel
      folds
      title={`Light, last ${days} days`}
      meta={
        <span className="light-meta">
          <HeldNote query={light} />
          {data && <LightTotal total={data.total} />}
          <PlainSelect
            aria-label="Period of light"
            choices={LIGHT_PERIODS.map((period) => ({ value: String(period), label: `Last ${period} days` }))}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
          />
          {tab === 'customers' ? (
            <CustomersLightMenu rows={data?.customers ?? []} />
          ) : (
            <WorstDisplaysMenu rows={data?.worst ?? []} />
          )}
        </span>
      }
    >
      <LightTabs tab={tab} onTab={setTab} />
      <div role="tabpanel" aria-label={TABS.find(({ id }) => id === tab)?.label}>
        {tab === 'customers' ? <CustomersLight light={light} /> : <WorstDisplays light={light} />}
      </div>
    </Panel>
  )
}

/** Arrow keys move between the tabs, as in every list of tabs. */
function LightTabs({ tab, onTab }: { readonly tab: Tab; readonly onTab: (tab: Tab) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const move = (key: string) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const other = tab === 'customers' ? 1 : 0
    onTab(TABS[other].id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[other]?.focus()
  }
  return (
    <div className="light-tabs" role="tablist" aria-label="Light" ref={list}>
      {TABS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          className="light-tab"
          aria-selected={id === tab}
          tabIndex={id === tab ? 0 : -1}
          onClick={() => onTab(id)}
          onKeyDown={({ key }) => move(key)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
