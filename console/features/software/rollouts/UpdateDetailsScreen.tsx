import { formatDateTime } from '#console/lib/time/time.ts'
import { wholeNumber } from '#console/router/addressFields.ts'
import { address } from '#console/router/addressText.ts'
import { usePathName } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { MissingRecord } from '#console/ui/records/MissingRecord.tsx'
import type { ClientUpdateDetails } from '#contract/http/software/rollouts.ts'
import { formatWholeDuration } from '#domain/units/durations.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { countOf, devicesText, PROGRESS_PARTS } from './rolloutLabels.ts'
import { DowngradeBadge, RolloutStateBadge } from './StateBadges.tsx'
import { UpdateActions } from './UpdateActions.tsx'
import { UpdatedDevices, useUpdatedDevices } from './UpdatedDevices.tsx'
import { UpdateProgress } from './UpdateProgress.tsx'
import { WavePanel } from './WavePanel.tsx'
import './rollouts.css'

/** The page `/client-updates/{id}` shows the progress of one rollout, by wave and by device. */
export function UpdateDetailsScreen() {
  const id = wholeNumber(usePathName('updateId'))
  return id === undefined ? <NoSuchUpdate /> : <UpdateById key={id} id={id} />
}

function UpdateById({ id }: { readonly id: number }) {
  // One read serves the whole page, because its head must not contradict its rows.
  const list = useUpdatedDevices(id)
  const { result, unread } = list
  if (result.error?.code === 'not_found') return <NoSuchUpdate />
  const update = result.data?.update
  return (
    <Screen
      title={update ? `Client update to ${update.version}` : 'Client update'}
      subtitle={update && <Origin update={update} />}
      actions={update && <UpdateActions update={update} />}
      unread={unread}
    >
      <AsyncView query={result} isEmpty={() => false}>
        {({ update: found }) => (
          <div className="update-page">
            {found.stateReason && (
              <FormNote kind={found.state === 'halted' ? 'failed' : 'info'} text={found.stateReason} />
            )}
            <UpdateSummary update={found} />
            <WavePanel update={found} />
            <UpdatedDevices update={found} list={list} />
          </div>
        )}
      </AsyncView>
    </Screen>
  )
}

function Origin({ update }: { readonly update: ClientUpdateDetails }) {
  return (
    <span className="update-origin">
      <span role="status">
        <RolloutStateBadge update={update} />
      </span>
      {update.isDowngrade && <DowngradeBadge />}
      <span>
        Begun {formatDateTime(update.createdAt)} by {update.createdBy}
      </span>
      {update.endedAt && <span>Ended {formatDateTime(update.endedAt)}</span>}
    </span>
  )
}

const NoSuchUpdate = () => (
  <MissingRecord
    title="Client update"
    note="This update does not exist"
    list={address('/device-software/rollouts')}
    listName="rollouts"
  />
)

function UpdateSummary({ update }: { readonly update: ClientUpdateDetails }) {
  const { counts, deviceCount, haltFailurePercent, waitMinutes, observeMinutes, waveCount } = update
  return (
    <Panel title="Progress" meta={devicesText(deviceCount)} isPadded>
      <UpdateProgress counts={counts} name="All devices" />
      <dl className="update-counts">
        {PROGRESS_PARTS.map((part) => (
          <div key={part.id} data-part={part.id} data-none={countOf(part, counts) === 0 || undefined}>
            <dt>{part.word}</dt>
            <dd>{formatNumber(countOf(part, counts))}</dd>
          </div>
        ))}
      </dl>
      <p className="update-rules">
        {haltFailurePercent === null
          ? 'It does not halt automatically.'
          : `It halts automatically when ${haltFailurePercent} % of the devices that were reached have failed.`}
        {observeMinutes > 0 &&
          ` A device is observed until its new version has run for ${formatWholeDuration(observeMinutes)} in one piece.`}
        {waveCount > 1 && ` ${formatWholeDuration(waitMinutes)} between waves.`}
      </p>
    </Panel>
  )
}
