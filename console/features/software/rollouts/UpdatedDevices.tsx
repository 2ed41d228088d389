import { useList } from '#console/lib/list/useList.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { type ClientUpdateDetails, listUpdatedDevices } from '#contract/http/software/rollouts.ts'
import { DEVICE_UPDATE_STATES, type DeviceUpdateState } from '#domain/rollouts/states.ts'
import { pollEveryMs } from './polling.ts'
import { DEVICE_UPDATE_WORDS } from './rolloutLabels.ts'
import { UpdatedDeviceTable } from './UpdatedDeviceTable.tsx'

const STATE_CHOICES = DEVICE_UPDATE_STATES.map((state) => ({ value: state, label: DEVICE_UPDATE_WORDS[state] }))

export const useUpdatedDevices = (updateId: number) =>
  useList(listUpdatedDevices, {
    at: '/device-software/rollouts/$updateId',
    asks: ({ state, wave }) => ({ id: updateId, state, wave }),
    refreshEveryMs: (answer) => pollEveryMs(answer && [answer.update]),
  })

interface Props {
  readonly update: ClientUpdateDetails
  readonly list: ReturnType<typeof useUpdatedDevices>
}

export function UpdatedDevices({ update, list }: Props) {
  const navigate = useNavigate()
  return (
    <ListPanel
      title="Devices"
      list={list}
      noun={['device', 'devices']}
      empty="This update has no devices any more"
      filter={<StateAndWave update={update} state={list.filter.state} wave={list.filter.wave} onChange={list.narrow} />}
    >
      {(devices) => (
        <UpdatedDeviceTable
          devices={devices}
          update={update}
          onOpen={({ deviceGuid }) => navigate(address('/devices/$guid/status', { guid: deviceGuid }))}
          {...list.table}
        />
      )}
    </ListPanel>
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
        onChange={(chosen) => onChange({ state: (chosen as DeviceUpdateState | null) ?? undefined })}
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
