import { IconDeviceTv } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { SubjectFilters } from '#console/pickers/SubjectFilters.tsx'
import { OfCustomer, useShownCustomer } from '#console/pickers/shownCustomer.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { HowCounted } from '#console/ui/ledger/HowCounted.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { getPanelLife, type Panels, setLifeModel } from '#contract/http/insight/panelLife.ts'
import type { CustomerId } from '#domain/ids.ts'
import { Cohorts } from './Cohorts.tsx'
import { DisplayLives } from './DisplayLives.tsx'
import { PANEL_CSV_COLUMNS, panelCsvRows } from './panelCsv.ts'
import './panels.css'

const LifeModelModal = lazyDialog(() => import('./LifeModelModal.tsx').then((part) => part.LifeModelModal))

export function PanelLifeScreen() {
  const { values, unread, change } = useAddress('/panel-life')
  const shownCustomer = useShownCustomer(values.customerId)
  const { customerId } = shownCustomer
  const { tag, place, deviceId } = values
  const question = {
    customerId: customerId as CustomerId,
    ...(tag && { tag }),
    ...(place && { place }),
    ...(deviceId && { deviceId }),
  }
  const panels = useCall(getPanelLife, question, { enabled: customerId !== undefined, keepsPrevious: true })
  return (
    <Screen title="Panel life" unread={unread} actions={panels.data && <Actions panels={panels.data} />}>
      <SubjectFilters
        {...{ values, customerId, change }}
        onReset={() => change({ tag: undefined, place: undefined, deviceId: undefined })}
        isLoading={panels.isFetching}
        onReload={() => void panels.refetch()}
      />
      <OfCustomer
        shown={shownCustomer}
        later="Add a customer and its devices. From then on the light and heat of their displays are counted by day."
      >
        <AsyncView query={panels}>{(one) => <PanelsView panels={one} />}</AsyncView>
      </OfCustomer>
    </Screen>
  )
}

function Actions({ panels }: { readonly panels: Panels }) {
  const maySet = useMay(setLifeModel.permission)
  const [isSetting, setIsSetting] = useState(false)
  return (
    <>
      <ListExportMenu
        name={`panelLife_${panels.customerId}`}
        label="panel life"
        columns={PANEL_CSV_COLUMNS}
        batches={() => panelCsvRows(panels)}
        more={
          maySet && (
            <MenuItem icon={IconDeviceTv} onClick={() => setIsSetting(true)}>
              How models age
            </MenuItem>
          )
        }
      />
      {isSetting && <LifeModelModal models={panels.models} onClose={() => setIsSetting(false)} />}
    </>
  )
}

function PanelsView({ panels }: { readonly panels: Panels }) {
  const { customerName, subject, displays, cohorts, models, rules, countedAt } = panels
  if (displays.length === 0)
    return (
      <Panel>
        <EmptyNote title={`${customerName} has no displays here`}>
          <p>Displays of paired devices are counted from the day on which they were added.</p>
        </EmptyNote>
      </Panel>
    )
  return (
    <div className="stacked">
      <Panel title={`Displays of ${customerName}`} meta={`${subject}, to be replaced first in front`}>
        <DisplayLives displays={displays} now={new Date(countedAt)} />
      </Panel>
      <Panel
        title="Hours of light between failures"
        meta={cohorts.ofEveryCustomer ? 'Every customer, last 365 days' : 'Last 365 days'}
      >
        <Cohorts cohorts={cohorts} />
      </Panel>
      <HowCounted
        rules={[
          ...rules,
          ...models.map(
            ({ name, life, isOwn }) =>
              `${name}: ${life.ratedHours.toLocaleString('en')} hours at full level and ${life.ratedCelsius} °C; exponent of the level ${life.levelExponentHundredths / 100}, activation energy ${life.activationMillielectronvolts / 1000} eV${isOwn ? '' : ' (usual figures, not of a data sheet)'}.`,
          ),
        ]}
      />
    </div>
  )
}
