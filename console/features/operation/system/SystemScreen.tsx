import { IconAlertTriangleFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { getSystemState, type SystemState } from '#contract/http/operation/system.ts'
import { JobTable } from './JobTable.tsx'
import { KeptTable } from './KeptTable.tsx'
import { ProcessTable, shortId } from './ProcessTable.tsx'
import { SystemFigures } from './SystemFigures.tsx'
import './system.css'

/** The page `/system` shows people what `/healthz` and `/metrics` give to programs. */
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
      <Panel title="Problems">
        <Troubles state={state} />
      </Panel>
      <Panel title="Servers">
        <ProcessTable processes={state.processes} />
      </Panel>
      <Panel title="Queues and storage" isPadded>
        <SystemFigures state={state} />
      </Panel>
      <Panel title="Data kept">
        <KeptTable kept={state.kept} closing={state.closing} />
      </Panel>
      {leader?.told && leader.told.jobs.length > 0 && (
        <Panel title="Scheduled jobs">
          <JobTable jobs={leader.told.jobs} />
        </Panel>
      )}
    </div>
  )
}

interface Trouble {
  readonly text: string
  readonly advice: string | null
  /** Everything works, and yet something is missing. */
  readonly isWarning?: true
  /** The ids of the servers that report it; absent for what concerns all of them. */
  readonly saidBy?: readonly string[]
}

function troublesIn({ processes, backups }: SystemState): readonly Trouble[] {
  const byText = Map.groupBy(
    processes.flatMap(({ id, told }) => (told?.troubles ?? []).map((trouble) => ({ ...trouble, id }))),
    ({ text }) => text,
  )
  const reported = [...byText].map(([text, said]) => ({
    text,
    advice: said[0]?.advice ?? null,
    saidBy: said.map(({ id }) => id),
  }))
  return backups === null ? [...reported, NO_BACKUPS] : reported
}

/** No server fails without backups, and yet not all is well. */
const NO_BACKUPS: Trouble = {
  text: 'No backup is configured.',
  advice: 'Set WAYSIDE_BACKUP_FOLDER to a folder on another disk or machine.',
  isWarning: true,
}

function Troubles({ state }: { readonly state: SystemState }) {
  const { processes } = state
  const isLed = processes.some(({ told }) => told?.isLeading)
  const troubles = troublesIn(state)
  if (troubles.length === 0) {
    return (
      <p className="system-well">
        <IconCircleCheckFilled size={18} aria-hidden />
        {isLed ? 'No problems. Every server reports that it is healthy.' : 'No server has reported yet.'}
      </p>
    )
  }
  return (
    <ul className="system-troubles" aria-label="Problems">
      {troubles.map(({ text, advice, isWarning, saidBy }) => (
        <li key={text} data-warning={isWarning}>
          <IconAlertTriangleFilled size={16} aria-hidden />
          <div>
            <strong>{text}</strong>
            {advice && <p>{advice}</p>}
            {saidBy && <small>{saidByText(saidBy, processes.length)}</small>}
          </div>
        </li>
      ))}
    </ul>
  )
}

function saidByText(saidBy: readonly string[], servers: number): string | undefined {
  if (servers === 1) return undefined
  return saidBy.length === servers ? 'Reported by every server' : `Reported by ${saidBy.map(shortId).join(', ')}`
}
