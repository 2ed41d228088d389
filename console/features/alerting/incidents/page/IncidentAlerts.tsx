import { Button } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { counted } from '#console/alertParts/incidentCounts.ts'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { send } from '#console/lib/call/api.ts'
import type { CallResult } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { firstRowOf, placeAfterCounted, ROWS_PER_PAGE } from '#console/router/pages.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import { choiceColumn } from '#console/ui/table/choiceColumn.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { Pager } from '#console/ui/table/Pager.tsx'
import {
  type IncidentAlert,
  type IncidentDetails,
  type listIncidentAlerts,
  splitIncident,
} from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { incidentMessages } from '../incidentLabels.ts'
import { INCIDENT_ALERT_COLUMNS, STACKED_INCIDENT_ALERT } from './incidentAlertColumns.tsx'
import { type SplitSelection, useSplitSelection } from './useIncident.ts'
import { usePress } from './usePress.ts'

interface Props {
  readonly incident: IncidentDetails
  readonly alerts: CallResult<typeof listIncidentAlerts>
  readonly page: number
  readonly onPage: (page: number) => void
}

export function IncidentAlerts({ incident, alerts, page, onPage }: Props) {
  const selection = useSplitSelection()
  const navigate = useNavigate()
  const rows = alerts.data?.rows ?? []
  const total = alerts.data?.total ?? 0
  const after = placeAfterCounted({ page }, { shownCount: rows.length, total, rowsPerPage: ROWS_PER_PAGE })?.page
  const firstRow = firstRowOf({ page }, ROWS_PER_PAGE)
  const canSplit = incident.mayChange && incident.alertCount > 1
  const columns = canSplit ? [alertChoice(rows, selection), ...INCIDENT_ALERT_COLUMNS] : INCIDENT_ALERT_COLUMNS
  return (
    <Panel title="Its alerts" meta={foldedLabel(incident)}>
      {incident.mayChange && <SplitBar incident={incident} selection={selection} canSplit={canSplit} />}
      <AsyncView query={alerts} isEmpty={() => rows.length === 0} empty="There are no alerts on this page">
        {() => (
          <DataTable
            label="Alerts of the incident"
            columns={columns}
            rows={rows}
            rowKey={({ alertId }) => alertId}
            onOpen={({ alertId }) => navigate(alertDetails(alertId))}
            opensOnClick
            rowAttributes={(alert) => ({
              'data-chosen': selection.has(alert) || undefined,
              'data-now': alert.over === null ? severityTone(alert.severityId) : undefined,
            })}
            minWidthPx={1008}
            stacked={STACKED_INCIDENT_ALERT}
            firstRow={firstRow}
            total={total}
          />
        )}
      </AsyncView>
      {(after !== undefined || page > 1) && (
        <Pager
          firstRow={firstRow}
          shownCount={rows.length}
          total={total}
          onPrevious={page > 1 ? () => onPage(page - 1) : undefined}
          onNext={after === undefined ? undefined : () => onPage(after)}
        />
      )}
    </Panel>
  )
}

const foldedLabel = ({ alertCount }: IncidentDetails) => counted(alertCount, 'alert')

const alertChoice = (alerts: readonly IncidentAlert[], { has, add, remove }: SplitSelection) =>
  choiceColumn({
    rows: alerts,
    isChosen: has,
    toggle: (alert) => (has(alert) ? remove([alert]) : add([alert])),
    nameOf: ({ alertId }) => `Select alert ${alertId}`,
    all: {
      name: 'Select all alerts of this page',
      set: (isChosen) => (isChosen ? add(alerts) : remove(alerts)),
    },
  })

interface SplitProps {
  readonly incident: IncidentDetails
  readonly selection: SplitSelection
  readonly canSplit: boolean
}

/** Where nothing is left to be split off it says what was. */
function SplitBar({ incident, selection, canSplit }: SplitProps) {
  const { press, failure, isBusy } = usePress()
  const [made, setMade] = useState<{ readonly incident: IncidentDetails; readonly count: number }>()
  const { ids, clear } = selection
  const refused =
    ids.length === 0
      ? incidentMessages.nothingSelected
      : ids.length >= incident.alertCount
        ? incidentMessages.allSelected
        : undefined
  const split = async () => {
    const text = incidentMessages.splits(ids.length, incident.title)
    if (!(await confirmDialog({ title: 'Split incident', text }))) return
    await press(async () => {
      const answer = await send(splitIncident, { body: { id: incident.id, alertIds: ids } })
      setMade({ incident: answer, count: ids.length })
      clear()
      return incidentMessages.split(answer.title)
    }, splitIncident)
  }
  usePaletteCommands([
    {
      actionId: 'incident.split',
      label: ids.length === 0 ? 'Split selected alerts off' : `Split ${counted(ids.length, 'selected alert')} off`,
      searchTerms: 'incident take out separate',
      icon: IconArrowsSplit2,
      refused,
      run: () => void split(),
    },
  ])
  return (
    <>
      {(canSplit || made) && (
        <section className="alert-selection" aria-label="Selection" data-any={ids.length > 0 || undefined}>
          {canSplit && (
            <SplitSelected
              {...{ selection, isBusy, refused }}
              isAll={ids.length >= incident.alertCount}
              onSplit={() => void split()}
            />
          )}
          {made && (
            <span className="incident-made">
              {counted(made.count, 'alert')} {made.count === 1 ? 'is' : 'are'} now{' '}
              <Link to={incidentPage(made.incident.id)}>{made.incident.title}</Link>
            </span>
          )}
        </section>
      )}
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
    </>
  )
}

interface SelectedProps {
  readonly selection: SplitSelection
  readonly isBusy: boolean
  readonly refused: string | undefined
  readonly isAll: boolean
  readonly onSplit: () => void
}

function SplitSelected({ selection: { ids, clear }, isBusy, refused, isAll, onSplit }: SelectedProps) {
  return (
    <>
      <ActionButton icon={IconArrowsSplit2} disabled={refused !== undefined} loading={isBusy} onClick={onSplit}>
        Split off ({formatNumber(ids.length)})
      </ActionButton>
      <span role="status" className={ids.length > 0 ? undefined : 'dim'}>
        {ids.length === 0 ? 'None selected' : isAll ? refused : `${ids.length} selected`}
      </span>
      {ids.length > 0 && (
        <Button variant="default" onClick={clear}>
          Clear
        </Button>
      )}
    </>
  )
}
