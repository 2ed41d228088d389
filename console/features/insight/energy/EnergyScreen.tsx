import { Select } from '@mantine/core'
import { IconBolt, IconCoin, IconDownload, IconLeaf } from '@tabler/icons-react'
import { useState } from 'react'
import { saveJson } from '#console/lib/call/saveJson.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { SubjectFilters } from '#console/pickers/SubjectFilters.tsx'
import { OfCustomer, useShownCustomer } from '#console/pickers/shownCustomer.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { AuditItem } from '#console/ui/menu/AuditItem.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { type Energy, getEnergy, setEnergyTariffs } from '#contract/http/insight/energy.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { Basis } from './basisText.ts'
import { EnergyView } from './EnergyView.tsx'
import { ENERGY_CSV_COLUMNS, energyCsvRows } from './energyCsv.ts'
import './energy.css'

const BasisModal = lazyDialog(() => import('./BasisModal.tsx').then((part) => part.BasisModal))

const OFFERED_YEARS = 6

export function EnergyScreen() {
  const { values, unread, change } = useAddress('/energy')
  const shownCustomer = useShownCustomer(values.customerId)
  const { customerId } = shownCustomer
  const period = values.period ?? thisYear()
  const maySet = useMay(setEnergyTariffs.permission)
  const [setting, setSetting] = useState<Basis>()
  const { tag, place, deviceId } = values
  const question = {
    ...{ customerId: customerId as CustomerId, period },
    ...(tag && { tag }),
    ...(place && { place }),
    ...(deviceId && { deviceId }),
  }
  const energy = useCall(getEnergy, question, { enabled: customerId !== undefined, keepsPrevious: true })
  return (
    <Screen title="Energy" unread={unread} actions={energy.data && <Actions energy={energy.data} onSet={setSetting} />}>
      <SubjectFilters
        {...{ values, customerId, change }}
        onReset={() => change({ tag: undefined, place: undefined, deviceId: undefined, period: undefined })}
        isLoading={energy.isFetching}
        onReload={() => void energy.refetch()}
        period={
          <Select
            key="year"
            aria-label="Year"
            allowDeselect={false}
            data={Array.from({ length: OFFERED_YEARS }, (_, index) => String(Number(thisYear()) - index))}
            value={period.slice(0, 4)}
            onChange={(year) => change({ period: year ?? undefined })}
          />
        }
      />
      <OfCustomer
        shown={shownCustomer}
        later="Add a customer and its devices. From then on their energy is counted here by day."
      >
        <AsyncView query={energy}>
          {(one) => (
            <EnergyView
              energy={one}
              onPeriod={(chosen) => change({ period: chosen })}
              onSetFactors={maySet ? () => setSetting('factors') : undefined}
            />
          )}
        </AsyncView>
      </OfCustomer>
      {setting && energy.data && (
        <BasisModal energy={energy.data} basis={setting} onClose={() => setSetting(undefined)} />
      )}
    </Screen>
  )
}

const thisYear = () => new Date().toISOString().slice(0, 4)

const SETTABLE = [
  { basis: 'prices', label: 'Prices', icon: IconCoin },
  { basis: 'power', label: 'Power of displays', icon: IconBolt },
  { basis: 'factors', label: 'CO₂ of electricity', icon: IconLeaf },
] as const satisfies readonly { readonly basis: Basis; readonly label: string; readonly icon: typeof IconCoin }[]

interface ActionsProps {
  readonly energy: Energy
  readonly onSet: (basis: Basis) => void
}

function Actions({ energy, onSet }: ActionsProps) {
  const maySet = useMay(setEnergyTariffs.permission)
  const name = `energy_${energy.customerId}_${energy.period}`
  const settable = SETTABLE.filter(({ basis }) => basis !== 'factors' || energy.basis.country !== null)
  return (
    <ListExportMenu
      name={name}
      label="energy"
      columns={ENERGY_CSV_COLUMNS}
      batches={() => energyCsvRows(energy)}
      more={
        <>
          <MenuItem icon={IconDownload} onClick={() => saveJson(name, energy)}>
            Export (json)
          </MenuItem>
          <AuditItem of="Energy figures" />
          {maySet &&
            settable.map(({ basis, label, icon }) => (
              <MenuItem key={basis} icon={icon} onClick={() => onSet(basis)}>
                {label}
              </MenuItem>
            ))}
        </>
      }
    />
  )
}
