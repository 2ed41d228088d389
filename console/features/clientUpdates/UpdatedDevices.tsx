import { Select } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FilterBar } from '#console/ui/filter/FilterBar.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Pager } from '#console/ui/table/Pager.tsx'
import { type ClientUpdateDetails, listUpdatedDevices } from '#contract/http/clientUpdate.ts'
import { DEVICE_UPDATE_STATES, type DeviceUpdateState } from '#domain/rollouts/states.ts'
import { pollEveryMs } from './polling.ts'
import { UpdatedDeviceTable } from './UpdatedDeviceTable.tsx'
import { DEVICE_UPDATE_WORDS } from './updateWords.ts'
import { useKeyedPages } from './useKeyedPages.ts'

const ROWS_PER_PAGE = 100
const STATE_CHOICES = DEVICE_UPDATE_STATES.map((state) => ({ value: state, label: DEVICE_UPDATE_WORDS[state] }))

/** The devices of an update, each with what came of it; narrowed by state and wave, which stand in the address. */
export function UpdatedDevices({ update }: { readonly update: ClientUpdateDetails }) {
  const navigate = useNavigate()
  const { values, change } = useAddress('/client-updates/$updateId')
  const { state } = values
  const wave = values.wave && values.wave <= update.waveCount ? values.wave : undefined
  const filter = { id: update.id, ...(state ? { state } : {}), ...(wave ? { wave } : {}) }
  const pages = useKeyedPages(JSON.stringify(filter))
  const devices = useCall(
    listUpdatedDevices,
    { ...filter, pageSize: ROWS_PER_PAGE, ...(pages.next ? { next: pages.next } : {}) },
    { keepsPrevious: true, refreshEveryMs: pollEveryMs([update.state]) },
  )
  const { isReloading, reloadNow } = useReload(devices)
  const page = devices.data
  const firstRow = (pages.page - 1) * ROWS_PER_PAGE + 1

  return (
    <Panel title="Devices">
      <FilterBar
        onReload={() => void reloadNow()}
        onReset={() => change({ state: undefined, wave: undefined })}
        isLoading={isReloading}
      >
        <StateAndWave update={update} state={state} wave={wave} onChange={change} />
      </FilterBar>
      <AsyncView
        query={devices}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <EmptyNote title={state || wave ? 'No device is in this state' : 'This update has no devices any more'} />
        }
      >
        {({ rows }) => (
          <UpdatedDeviceTable
            devices={rows}
            update={update}
            firstRow={firstRow}
            onOpen={({ deviceGuid }) => navigate(address('/devices/$guid/status', { guid: deviceGuid }))}
          />
        )}
      </AsyncView>
      {page && (pages.page > 1 || page.next !== null) && (
        <Pager
          firstRow={firstRow}
          shownCount={page.rows.length}
          total={undefined}
          onPrevious={pages.onPrevious}
          onNext={pages.onNext(page.next)}
        />
      )}
    </Panel>
  )
}

interface NarrowedProps {
  readonly update: ClientUpdateDetails
  readonly state: DeviceUpdateState | undefined
  readonly wave: number | undefined
  readonly onChange: (change: { state?: DeviceUpdateState | undefined; wave?: number | undefined }) => void
}

function StateAndWave({ update, state, wave, onChange }: NarrowedProps) {
  return (
    <>
      <Select
        aria-label="State"
        placeholder="All states"
        data={STATE_CHOICES}
        value={state ?? null}
        onChange={(chosen) => onChange({ state: chosen ?? undefined })}
        clearable
      />
      <Select
        aria-label="Wave"
        placeholder="All waves"
        data={update.waves.map(({ number }) => ({ value: String(number), label: `Wave ${number}` }))}
        value={wave === undefined ? null : String(wave)}
        onChange={(chosen) => onChange({ wave: chosen === null ? undefined : Number(chosen) })}
        clearable
      />
    </>
  )
}
