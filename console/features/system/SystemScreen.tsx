import { IconAlertTriangleFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { getSystemState, type SystemState } from '#contract/http/system/systemState.ts'
import { JobTable } from './JobTable.tsx'
import { ProcessTable, shortId } from './ProcessTable.tsx'
import { SystemFigures } from './SystemFigures.tsx'
import './system.css'

/** `/system`: for people what `/healthz` and `/metrics` are for programs. */
export function SystemScreen() {
  const state = useCall(getSystemState, {}, { refreshEveryMs: REFRESH_EVERY_MS.ofOutcome })
  return (
    <Screen title="System">
      <AsyncView query={state}>{(found) => <State state={found} />}</AsyncView>
    </Screen>
  )
}

function State({ state }: { readonly state: SystemState }) {
  const leader = state.processes.find(({ told }) => told?.isLeading)
  return (
    <div className="system">
      <Panel title="What is wrong">
        <Troubles state={state} />
      </Panel>
      <Panel title="Servers" meta={`${state.processes.length} running`}>
        <ProcessTable processes={state.processes} />
      </Panel>
      <Panel title="What waits, and what is kept" isPadded>
        <SystemFigures state={state} />
      </Panel>
      {leader?.told && leader.told.jobs.length > 0 && (
        <Panel title="What the clock starts" meta={`by ${shortId(leader.id)}, which leads`}>
          <JobTable jobs={leader.told.jobs} />
        </Panel>
      )}
    </div>
  )
}

/** The same sentence of several servers is told once. */
function Troubles({ state: { processes } }: { readonly state: SystemState }) {
  const byText = Map.groupBy(
    processes.flatMap(({ id, told }) => (told?.troubles ?? []).map((trouble) => ({ ...trouble, id }))),
    ({ text }) => text,
  )
  const isLed = processes.some(({ told }) => told?.isLeading)
  if (byText.size === 0) {
    return (
      <p className="system-well">
        <IconCircleCheckFilled size={18} aria-hidden />
        {isLed ? 'Nothing: every server says that all is well.' : 'Nothing is told of yet.'}
      </p>
    )
  }
  return (
    <ul className="system-troubles" aria-label="Troubles">
      {[...byText.values()].map(([first, ...more]) => (
        <li key={first?.text}>
          <IconAlertTriangleFilled size={16} aria-hidden />
          <div>
            <strong>{first?.text}</strong>
            {first?.advice && <p>{first.advice}</p>}
            <small>
              {processes.length === 1 ? null : more.length + 1 === processes.length ? 'Every server says so' : null}
              {processes.length > 1 && more.length + 1 < processes.length
                ? `Said by ${[first, ...more].map((one) => shortId(one?.id ?? '')).join(', ')}`
                : null}
            </small>
          </div>
        </li>
      ))}
    </ul>
  )
}
